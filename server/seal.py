"""Games that their host keeps between calls: sealed, so that the bytes can be neither read nor changed elsewhere."""

import hashlib
import hmac
import json
import logging
import os
import secrets
import stat
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import engine
from engine.faults import Fault, InvalidInput, NotNow
from engine.game import ENGINE_VERSION, Setup, State, View
from engine.record import copied
from server.config import Settings
from server.errors import TokenMissing, TokenWrong

log = logging.getLogger(__name__)

# Sealed bytes: format, name of the key, nonce (authenticated, all of them), then what is encrypted with its tag.
FORMAT = 1
NAME, NONCE, TAG = 8, 12, 16  # bytes
HEADER = 1 + NAME + NONCE
SECRET = 16  # bytes
STEP = 1024  # bytes: what is encrypted is filled up to a multiple, as the length after compression tells of the cards
KEY_DIGITS = 64
SHUT = stat.S_IRWXG | stat.S_IRWXO  # what a file of keys should not allow
KEYS_VARIABLE = "EMPTYCHAIR_SEAL_KEYS"


class SealedGame(NamedTuple):
    """What is sealed: a game, and the secret that its seat tokens come from."""

    state: State
    secret: bytes  # random, and the same from the first move to the last, whatever key seals

    @classmethod
    def new(cls, setup: Setup, seed: int) -> "SealedGame":
        """A game about to begin."""
        return cls(setup.new(seed), secrets.token_bytes(SECRET))

    def token(self, seat: int) -> str:
        """The word that lets this seat observe the game."""
        return hmac.digest(self.secret, b"seat %d" % seat, "sha256").hex()

    def view(self, seat: int, token: str) -> View:
        """What `seat` knows; raises `InvalidInput`, `TokenMissing` or `TokenWrong`, in this order."""
        view = self.state.view(seat)
        if not token:
            raise TokenMissing(seat)
        if not hmac.compare_digest(self.token(seat).encode(), token.encode()):
            raise TokenWrong(seat)
        return view


class Sealer:
    """Seals with the first of its keys (32 bytes each), opens with all."""

    def __init__(self, keys: Iterable[bytes]) -> None:
        self._ciphers = {_name(key): AESGCM(key) for key in keys}

    @property
    def key_names(self) -> list[str]:
        """What keys are called where others can read it: sixteen hex digits that tell nothing of the key."""
        return [name.hex() for name in self._ciphers]

    def seal(self, game: SealedGame) -> bytes:
        """The game as bytes, other ones each time."""
        name, cipher = next(iter(self._ciphers.items()))
        nonce = secrets.token_bytes(NONCE)
        header = bytes([FORMAT]) + name + nonce
        return header + cipher.encrypt(nonce, _packed(game), header)

    def open(self, sealed: bytes) -> SealedGame:
        """The game in these bytes.

        Raises `InvalidInput` with path `sealed` for what no key of ours has sealed, `NotNow` for a game of other
        rules or another version.
        """
        header = sealed[:HEADER]
        if len(sealed) < HEADER + TAG or header[0] != FORMAT:
            raise _forged(f"{len(sealed)} bytes", "a sealed game")
        name = header[1 : 1 + NAME]
        if name not in self._ciphers:
            raise _forged(f"a game sealed with key {name.hex()}", "one of the keys " + ", ".join(self.key_names))
        try:
            packed = self._ciphers[name].decrypt(header[-NONCE:], sealed[HEADER:], header)
        except InvalidTag as error:
            raise _forged("bytes that were changed", "a sealed game as it was given out") from error
        return _unpacked(packed)


def read_sealer(settings: Settings, environment: Mapping[str, str] = os.environ) -> Sealer:
    """A sealer with the keys of the file or of the environment, or else with a key that ends with the process.

    Raises `InvalidInput` for what is no key, without telling what it was.
    """
    if settings.seal_key_file:
        return Sealer(_keys("seal_key_file", _text(settings.seal_key_file)))
    if text := environment.get(KEYS_VARIABLE, "").strip():
        return Sealer(_keys(KEYS_VARIABLE, text))
    log.warning("sealed games will end with this process: neither seal_key_file nor %s is set", KEYS_VARIABLE)
    return Sealer([secrets.token_bytes(KEY_DIGITS // 2)])


def _text(path: str) -> str:
    """What is in the file of keys; warns of one that others may read.

    Its group may, where the file is another user's: so secrets are mounted for a process that is not root.
    """
    try:
        text, about = Path(path).read_text(encoding="ascii", errors="replace"), Path(path).stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        told = "a key" if any(map(_is_key, Path(path).parts)) else f"{path}: {(reason or 'no path').lower()}"
        raise InvalidInput([Fault("seal_key_file", told, "the path of a file that can be read")]) from None
    if os.name == "posix" and about.st_mode & (SHUT if about.st_uid == os.getuid() else SHUT & ~stat.S_IRGRP):
        log.warning("seal_key_file %s is open to others than its owner: chmod 600 closes it", path)
    return text


def _keys(source: str, text: str) -> list[bytes]:
    """The keys in a text, one a line."""
    words, expected = text.split(), f"a key of {KEY_DIGITS} hexadecimal digits"
    faults = [
        Fault(f"{source}[{i}]", f"something else, {len(word)} characters long", expected)
        for i, word in enumerate(words)
        if not _is_key(word)
    ]
    if faults or not words:
        raise InvalidInput(faults or [Fault(source, "nothing", expected)])
    return [bytes.fromhex(word) for word in words]


def _is_key(word: str) -> bool:
    return len(word) == KEY_DIGITS and all(digit in "0123456789abcdefABCDEF" for digit in word)


def _name(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()[:NAME]


def _forged(found: str, expected: str) -> InvalidInput:
    return InvalidInput([Fault("sealed", found, expected)])


def _packed(game: SealedGame) -> bytes:
    """A line that says what game this is, the secret, the record: compressed and filled up to a whole step."""
    setup = game.state.setup
    line = {
        "game": setup.game.name,
        "options": setup.options,
        "seats": setup.seats,
        "rules_hash": setup.rules_hash,
        "engine_version": ENGINE_VERSION,
    }
    packed = zlib.compress(json.dumps(line).encode() + b"\n" + game.secret + game.state.tobytes())
    return packed + bytes(-len(packed) % STEP)


def _unpacked(packed: bytes) -> SealedGame:
    line, _, rest = zlib.decompressobj().decompress(packed).partition(b"\n")
    setup = _setup(json.loads(line))
    secret, record = rest[:SECRET], rest[SECRET:]
    _same("a record of", f"{len(record)} bytes", f"{setup.game.state_dtype.itemsize} bytes")
    return SealedGame(State(setup, copied(np.frombuffer(record, setup.game.state_dtype))), secret)


def _setup(line: Mapping[str, Any]) -> Setup:
    """The setup of a sealed game; raises `NotNow` where it is not what it was when the game was sealed."""
    _same("engine_version", line["engine_version"], ENGINE_VERSION)
    try:
        setup = engine.known(line["game"]).setup(line["seats"], line["options"]["modules"], line["options"]["rules"])
    except InvalidInput as error:
        raise NotNow(f"the sealed game is none of this server's: {error}") from error
    _same("rules_hash", line["rules_hash"], setup.rules_hash)
    return setup


def _same(what: str, sealed: str, here: str) -> None:
    if sealed != here:
        raise NotNow(f"the game was sealed under other rules or another version: {what} {sealed}, here {here}")

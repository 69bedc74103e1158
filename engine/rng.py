"""The only randomness: xorshift64* in a 64-bit word, seeded by splitmix64 (Vigna 2014)."""

from hashlib import blake2b
from typing import Any

import numpy as np

from engine.jit import rule
from engine.record import wide

ACCURACY = 1 << 30
MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)


def one_way(seed: int, n: int) -> int:
    """Number `n` of the seeds that follow from a game's, for a bot that must not find out the deal from its own."""
    return int.from_bytes(blake2b(f"{seed} {n}".encode(), digest_size=8).digest(), "little")


@rule
def splitmix(x: Any) -> Any:
    """A well mixed 64-bit word that depends on every bit of `x`."""
    z = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@rule
def seeded(seed: Any) -> Any:
    """The generator word for a seed; never 0, which would be stuck."""
    return splitmix(seed) | np.uint64(1)


@rule
def following(x: Any) -> Any:
    """The generator word after `x`."""
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x


@rule
def scaled(x: Any, n: int) -> int:
    """A number in [0, n) drawn from generator word `x`."""
    high = (x * MULTIPLIER) >> np.uint64(32)
    return wide((high * np.uint64(n)) >> np.uint64(32))


@rule
def below(s: Any, n: int) -> int:
    """A number in [0, n), drawn from the state's own generator."""
    s.rng = following(s.rng)
    return scaled(s.rng, n)


@rule
def fraction(s: Any) -> float:
    """A number in [0, 1), drawn from the state's own generator."""
    return below(s, wide(ACCURACY)) / ACCURACY


@rule
def mixed(h: Any, x: Any) -> Any:
    """Hash `h` extended by word `x`."""
    return splitmix(h ^ (np.uint64(x) * np.uint64(0xD6E8FEB86659FD93)))

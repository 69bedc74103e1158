"""Playing at a terminal: what is asked, told, kept; and that nobody is told more than their seat knows."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import engine
from engine.game import LANGUAGES, State
from server.cli import main, wording
from server.cli.screen import CLEAR, WORDS
from server.cli.telling import Teller
from server.cli.watching import Watch
from server.cli.wording import FIELDS, SAID, VALUES
from server.games import cards_of
from tests.contract.games import KINDS, Kind, positions, with_a_rivals_cards_changed
from tests.contract.test_reaction_windows import world

KUHN = ("play", "kuhn_poker", "--opponent", "greedy", "--seed", "3")
BOTH = ("--seat", 0, "--seat", 1)
MANY = ["1"] * 3000
LISTENS = 0.5  # seconds after which readline has certainly begun to listen, once it has shown the prompt
STRIDE = 40  # decisions between two positions that are looked at
ALIKE = 12  # decisions played from each of them
EVERY = pytest.mark.parametrize("kind", KINDS, ids=str)
Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def invoke(*words: object, typed: list[str] | None = None) -> Result:
        lines = "".join(f"{line}\n" for line in typed or [])
        return CliRunner().invoke(main, [str(word) for word in words], input=lines)

    return invoke


@pytest.mark.parametrize("name", engine.names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_to_its_end(run: Run, name: str, language: str) -> None:
    result = run("play", name, "--opponent", "greedy", "--seed", 1, "--lang", language, typed=MANY)
    assert result.exit_code == 0, result.stderr
    *_, won, first, second = result.stdout.splitlines()
    results = [WORDS[language][key].partition("{")[0] for key in ("won", "shared")]
    assert any(won.startswith(words) for words in results)
    assert all(WORDS[language]["you"] in line or "greedy" in line for line in (first, second))


def test_what_is_shown_and_told(run: Run) -> None:
    shown = run(*KUHN, typed=["1", "bet"]).stdout
    assert "you (seat 0): hand: king\nseat 1: hand: 1\n" in shown.replace("hand 1", "hand: 1")
    assert "  1  pass  Pass\n  2  bet   Put in a chip\n" in shown
    assert "  you (seat 0): played pass\n  seat 1: played bet\n" in shown
    assert "\nseat 1 (greedy) held: queen\n" in shown
    assert shown.endswith("Seat 0 wins.\n1. seat 0 (a person): +2.00\n2. seat 1 (greedy): -2.00\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("jump", "jump: neither a move nor a command; type help\n"),
        ("0", "0: neither"),
        ("3", "3: neither"),
        ("\u0662", "\u0662: neither"),
        ("help", WORDS["en"]["commands"]),
        ("view", "game Kuhn poker, seats 2, phase betting, to move you (seat 0)"),
        ("save", WORDS["en"]["where"]),
        ("save /no/such/folder/game", "save: found /no/such/folder/game, expected a file that can be written"),
        ("save /dev/null", "save: found /dev/null, which is no regular file, expected a new file"),
        ("save /tmp", "save: found /tmp, which is no regular file"),
        ("save -", "save: found -, expected the name of a file"),
        ("save a\0b", r"save: found a\x00b, expected a file that can be written (embedded null byte)"),
        ("SAVE", WORDS["en"]["where"]),
        ("undo", WORDS["en"]["final"]),
    ],
)
def test_what_is_no_move(run: Run, typed: str, said: str) -> None:
    result = run(*KUHN, typed=[typed, "quit"])
    assert result.exit_code == 0
    assert said in result.stdout
    assert result.stdout.endswith(f"\n{WORDS['en']['lost']}\n")


def test_a_hint_on_demand(run: Run) -> None:
    shown = run(*KUHN, "--hint-ms", 30, "--lang", "ja", typed=["hint", "quit"]).stdout
    assert "模擬対局" in shown
    assert any(line.lstrip("> ").startswith(("pass ", "bet ")) and "  1" not in line for line in shown.splitlines())


@pytest.mark.parametrize("typed", [["quit"], []], ids=["quit", "end of input"])
def test_leaving_and_coming_back_is_as_if_one_had_stayed(run: Run, tmp_path: Path, typed: list[str]) -> None:
    stayed, left = tmp_path / "stayed.jsonl", tmp_path / "left.jsonl"
    game = ("play", "arctic_scavengers", "--seats", 3, "--seat", 1, "--opponent", "random", "--seed", 8)
    run(*game, "--save", stayed, typed=MANY)
    first = run(*game, "--save", left, typed=[*MANY[:15], *typed])
    assert f"saved in {left}; go on with: emptychair play --resume {left}" in first.stdout
    assert len(stayed.read_text()) > len(left.read_text())
    assert stayed.read_text().startswith(left.read_text())
    run("play", "--resume", left, typed=MANY)
    assert left.read_text() == stayed.read_text()
    assert run("replay", left).exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["left.jsonl", "stayed.jsonl"]


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "kept.jsonl"
    run(*KUHN, "--save", file, typed=["pass"])
    return file


def changed(file: Path, **header: object) -> None:
    """The same game with other words in its header."""
    first, *turns = file.read_text().splitlines()
    file.write_text("\n".join([json.dumps(json.loads(first) | header), *turns]))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"rules_hash": "0" * 16}, "the rules played here: this game was begun under others"),
        ({"rules_hash": ""}, "rules_hash: found nothing, expected "),
        ({"people": None}, "people: found"),
        ({"people": [7]}, "people: found 7, expected a whole number from 0 to 1"),
        ({"people": []}, "people: found nobody, expected the seat of one person at least"),
        ({"people": [True]}, "people: found [True]"),
        ({"opponents": "greedy"}, "opponents: found 'greedy'"),
        ({"opponents": ["os:system"]}, "opponents: found 'os:system', expected a level (beginner"),
        ({"opponents": ["clairvoyant"]}, "opponents: found 'clairvoyant', expected a bot that sees no more"),
        ({"opponents": ["greedy", "greedy"]}, "opponents: found 2 of them, expected one, or one for each of 1 free"),
        ({"seed": -1}, "seed: found -1"),
    ],
)
def test_a_file_that_cannot_be_gone_on_with(run: Run, kept: Path, header: Mapping[str, Any], said: str) -> None:
    changed(kept, **header)
    before = kept.read_text()
    result = run("play", "--resume", kept, typed=MANY)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert kept.read_text() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess",), "game: found 'chess'"),
        (("kuhn_poker", "--seats", 3), "seats: found 3"),
        (("kuhn_poker", "--seat", 2), "seat: found 2"),
        (("kuhn_poker", "--opponent", "nobody"), "opponent: found 'nobody', expected a level (beginner, casual"),
        (("kuhn_poker", "--opponent", "two words"), "opponent: found 'two words', expected a level"),
        (("kuhn_poker", "--opponent", "gredy"), "or package.module:Class; did you mean greedy?"),
        (("kuhn_poker", "--opponent", "ismcts@0"), "opponent.budget.iterations: found 0"),
        (("kuhn_poker", "--opponent", "ismcts:c=99"), "opponent.parameters.c: found 99"),
        (("kuhn_poker", "--opponent", "clairvoyant@5"), "opponent: found 'clairvoyant', expected a bot that sees"),
        (("kuhn_poker", "--opponent", "nowhere:Bot"), "opponent: found 'nowhere:Bot', expected an importable bot"),
        (
            ("kuhn_poker", "--opponent", "tests.server.doubles:Thoughtless"),
            "without think, expected a class",
        ),
        (("kuhn_poker", *BOTH, "--opponent", "greedy"), "opponent: found 1 of them, expected none"),
        (("kuhn_poker", "--opponent", "greedy", "--opponent", "random"), "opponent: found 2 of them"),
        (("kuhn_poker", "--rule", "peek=1"), "options.rules.peek: found 1"),
        (("kuhn_poker", "--module", "hq1"), "options.modules[0]: found 'hq1'"),
        (("kuhn_poker", "--seed", -1), "seed: found -1"),
        (("kuhn_poker", "--hint-ms", 0), "hint_ms: found 0"),
        (("kuhn_poker", "--lang", "fr"), "language: found 'fr'"),
        (("kuhn_poker", "--save", "/no/such/folder/game"), "save: found /no/such/folder/game"),
        (("--resume", "no_such_file"), "no_such_file: "),
        (("--resume", "no_such_file", "--seats", 2), "resume: found options of a new game"),
        ((), "Missing argument 'GAME'"),
    ],
)
def test_what_cannot_be_played_is_told_with_exit_code_2(run: Run, words: tuple[object, ...], said: str) -> None:
    result = run("play", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_all_that_is_wrong_is_told_at_once(run: Run, tmp_path: Path) -> None:
    wrong = (
        "--seats",
        9,
        "--seat",
        5,
        "--rule",
        "x=1",
        "--module",
        "hq9",
        "--seed",
        -1,
        "--hint-ms",
        0,
        "--lang",
        "fr",
    )
    result = run("play", "arctic_scavengers", *wrong, "--opponent", "nobody", "--save", tmp_path)
    assert result.exit_code == 2
    paths = [line.partition(":")[0] for line in result.stderr.splitlines()]
    told = ["language", "hint_ms", "save", "seats", "options.modules[0]", "options.rules.x", "seed", "seat", "opponent"]
    assert paths == told


def test_bytes_that_are_no_text_are_no_move() -> None:
    result = CliRunner().invoke(main, list(map(str, KUHN)), input=b"\xffpass\nquit\n")
    assert result.exit_code == 0
    assert "\\xffpass: neither a move nor a command" in result.stdout


def test_words_are_understood_in_any_case(run: Run) -> None:
    shown = run(*KUHN, typed=["HELP", "View", " PASS ", "bET"]).stdout
    assert shown.count("neither") == 0
    assert shown.endswith("2. seat 1 (greedy): -2.00\n")


def test_an_opponent_may_be_an_entrant_of_an_arena(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    words = ("play", "leduc_poker", "--opponent", "ismcts@50:c=1", "--seed", 1)
    assert "seat 1: ismcts@50:c=1\n" in run(*words, "--save", file, typed=["1"]).stdout
    whole = run(*words, typed=MANY).stdout
    assert whole.endswith(run("play", "--resume", file, typed=MANY).stdout.partition("> ")[2])


def test_all_hands_are_shown_at_the_end_and_not_before(run: Run) -> None:
    shown = run("play", "leduc_poker", *BOTH, "--seed", 3, typed=["1", "", "1", "", "1", "", "1"]).stdout
    before, _, after = shown.rpartition("\n\n")
    assert "held" not in before
    assert after.startswith("seat 0 (a person) held: king 2\nseat 1 (a person) held: ")


def test_house_rules_are_played(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    rules = ("--rule", "trash_public=true", "--rule", "dig_return_order=chosen")
    run("play", "arctic_scavengers", "--opponent", "greedy", *rules, "--save", file, typed=["1"])
    options = json.loads(file.read_text().splitlines()[0])["options"]["rules"]
    assert (options["trash_public"], options["dig_return_order"]) == (True, "chosen")


def test_two_people_at_one_screen(run: Run) -> None:
    shown = run("play", "kuhn_poker", *BOTH, "--seed", 3, typed=["pass", "", "pass"]).stdout
    mine, _, yours = shown.partition("Pass the screen to seat 1, who presses Enter.")
    assert "hand: king" in mine
    assert "hand: queen" not in mine
    assert "hand: king" not in yours.partition("Seat 1: pick")[0]
    assert "  seat 0: played pass\n" in yours


def test_a_resumed_game_passes_the_screen_before_it_shows_a_hand(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run("play", "kuhn_poker", *BOTH, "--seed", 3, "--save", file, typed=["pass", "", "bet"])
    shown = run("play", "--resume", file, typed=[]).stdout
    assert shown.rstrip().splitlines()[1].startswith("Pass the screen to seat 0")
    assert "hand" not in shown


# ---- a terminal


@contextmanager
def terminal(*words: object) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command in a process of its own, and the other end of its terminal."""
    ours, theirs = pty.openpty()
    code = "from server.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, words)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def until(ours: int, end: str) -> str:
    """What the terminal shows up to these words, or up to the end."""
    shown = b""
    while end.encode() not in shown:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # Linux says so when the other end is closed
            break
    assert end.encode() in shown, shown
    return shown.decode()


def test_a_killed_terminal_loses_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with terminal(*KUHN, "--save", file) as (process, ours):
        until(ours, "\r\n> ")
        os.write(ours, b"pass\n")
        until(ours, "played bet")
        process.send_signal(signal.SIGKILL)
    again = run("play", "--resume", file, typed=["bet"])
    assert again.exit_code == 0, again.stderr
    assert "played: pass, bet\n" in again.stdout
    assert "Seat 0 wins." in again.stdout


@pytest.mark.parametrize(("typed", "code"), [(b"\x03", 130), (b"\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_by_a_key(tmp_path: Path, typed: bytes, code: int) -> None:
    file = tmp_path / "game.jsonl"
    with terminal(*KUHN, "--save", file) as (process, ours):
        until(ours, "\r\n> ")
        if typed == b"\x03":
            time.sleep(LISTENS)
            process.send_signal(signal.SIGINT)  # the terminal sends it to those it belongs to
        else:
            os.write(ours, typed)
        assert "Traceback" not in until(ours, f"--resume {file}")
        assert process.wait(20) == code


def test_the_screen_is_wiped_before_it_changes_hands() -> None:
    with terminal("play", "kuhn_poker", "--seat", 0, "--seat", 1, "--seed", 3) as (_, ours):
        until(ours, "\r\n> ")
        os.write(ours, b"pass\n")
        assert f"{CLEAR}Pass the screen to seat 1" in until(ours, "presses Enter.")


# ---- what may be told


def follow(state: State, text: str, watches: list[Watch]) -> None:
    """Plays one decision before the eyes of some seats."""
    move, mover = state.game.parse(state, text).id, state.to_move
    fields = state.game.move_fields(state.setup, state.data, move)
    state.step(move)
    for watch in watches:
        watch.see(state, mover, move, fields)


def told(watch: Watch, state: State) -> list[str]:
    """All that is printed for a seat: what happened and what it knows."""
    return [*watch.told(), *watch.teller.lines(state.view(watch.seat), everything=True)]


def same_text(one: State, other: State, seats: list[int], seed: int) -> int:
    """Plays two games alike as long as they can be; how many decisions were told alike to seats that know the same."""
    watches = [[Watch(state, seat, "en") for seat in seats] for state in (one, other)]
    choose = np.random.default_rng(seed)
    for n in range(ALIKE):
        texts = sorted({m.text for m in one.moves()} & {m.text for m in other.moves()})
        if not texts or one.to_move != other.to_move:
            return n
        text = texts[int(choose.integers(len(texts)))]
        for state, watching in zip((one, other), watches, strict=True):
            follow(state, text, watching)
        if any(one.view(seat).tobytes() != other.view(seat).tobytes() for seat in seats):
            return n  # from here on they know different things
        for a, b in zip(*watches, strict=True):
            assert told(a, one) == told(b, other)
    return ALIKE


@EVERY
def test_a_rivals_hidden_cards_change_nothing_that_is_told(kind: Kind) -> None:
    compared = 0
    for i, state in enumerate(positions(kind.setup, 4)):
        if state.over or i % STRIDE > 1:
            continue
        rival = (state.to_move + i) % kind.seats
        other = with_a_rivals_cards_changed(state, rival)
        if other is not None:
            compared += same_text(state.clone(), other, [q for q in range(kind.seats) if q != rival], i)
    assert compared > 0


@pytest.mark.parametrize("observer", [0, 2])
@pytest.mark.parametrize("reserve", [False, True])
def test_nobody_is_told_who_could_have_responded(observer: int, reserve: bool) -> None:
    shown = []
    for in_hand in (True, False):
        state, lines = world("sniper_team", in_hand, reserve), list[str]()
        watch = Watch(state, observer, "en")
        for text in ["hunt", "commit refugee", "commit scavenger", "go", *(["pass"] if in_hand else [])]:
            follow(state, text, [watch])
            lines += watch.told()
        shown.append([*lines, *told(watch, state)])
    assert shown[0] == shown[1]
    assert any("used Scavenger" in line or "used Refugee, Scavenger" in line for line in shown[0])


def test_a_hit_is_told_with_unit_card_and_owner() -> None:
    state = world("sniper_team", True, False)
    watch = Watch(state, 2, "en")
    for text in ["hunt", "commit refugee", "commit scavenger", "go", "snipe scavenger with sniper_team"]:
        follow(state, text, [watch])
    [line] = watch.told()
    assert line == (
        "seat 0: action hunt, used Refugee, Scavenger; seat 1: snipes the Scavenger of seat 0 with the Sniper Team; "
        "seat 0: hunt came to 0, hand 5 → 3, done hunt; seat 1: hand 5 → 4"
    )


def test_the_one_who_throws_away_alone_is_told_what() -> None:
    shown: dict[tuple[str, int], list[str]] = {}
    for card in ("refugee", "scavenger"):
        state = world("sniper_team", False, False)
        watches = [Watch(state, 0, "en"), Watch(state, 2, "en")]
        for text in ["trash", f"discard {card}", "go"]:
            follow(state, text, watches)
        shown |= {(card, watch.seat): watch.told() for watch in watches}
    assert shown["refugee", 2] == shown["scavenger", 2] != []
    assert "thrown in, Refugee" in shown["refugee", 0][0]
    assert "thrown in, Scavenger" in shown["scavenger", 0][0]


def test_a_card_drawn_is_told_though_one_like_it_was_used() -> None:
    state = world("saboteur", False, False)
    watch = Watch(state, 0, "en")
    for text in ("draw", "commit scavenger", "commit scavenger", "go"):
        if text in [move.text for move in state.moves()]:
            follow(state, text, [watch])
    assert "used Scavenger ×2, draws Scavenger, Brawler, " in watch.told()[0]


def words_of(form: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every field name and every word in a form, each with "field" or "value"."""
    if isinstance(form, Mapping):
        for name, inner in form.items():
            yield "field", name
            yield from () if name in ("options", "game") else words_of(inner, name)
    elif isinstance(form, list):
        for entry in form:
            yield from words_of(entry, key)
    elif isinstance(form, str):
        yield "value", form


@EVERY
def test_every_word_of_a_view_is_known_in_both_languages(kind: Kind) -> None:
    cards = {card["id"] for card in cards_of(kind.setup.game)}
    known = {"field": FIELDS.keys() | VALUES.keys() | cards, "value": VALUES.keys() | cards}
    for i, state in enumerate(positions(kind.setup, 7)):
        used = set(words_of(state.view(i % kind.seats).to_json()))
        assert {word for what, word in used if word not in known[what]} == set()


def test_words_are_told_in_the_language_asked_for() -> None:
    assert all(
        english.isascii() and not other.isascii()
        for english, other in [*FIELDS.values(), *VALUES.values(), *SAID.values()]
    )
    assert WORDS.keys() == set(LANGUAGES)
    assert WORDS["en"].keys() == WORDS["ja"].keys()
    assert FIELDS.keys() >= wording.DETAILS | wording.UNTOLD


def test_all_that_a_seat_knows_is_told_once() -> None:
    view = engine.load("arctic_scavengers").setup(2).new(1).view(0)
    first, *rest = Teller(view, "ja").lines(view, everything=True)
    own = next(line for line in rest if line.startswith("あなた"))
    assert view.game.titles["ja"] in first
    assert (own.count("手札"), own.count("山札"), own.count("捨て札")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("language", "asked", "begun", "used"),
    [
        (
            "en",
            "now: choose what to do",
            "now: choose which cards; action: draw; value: 0",
            "; used: Scavenger; value: 1",
        ),
        ("ja", "現在：行動の選択", "現在：カードの選択；行動：引く；値：0", "；使用：屑屋；値：1"),
    ],
)
def test_what_is_asked_is_told_in_one_form(language: str, asked: str, begun: str, used: str) -> None:
    state, told = world("saboteur", False, False), list[str]()
    watch = Watch(state, 0, language)
    for text in ("draw", "commit scavenger"):
        told.append(watch.teller.now(state.view(0))[-1])
        follow(state, text, [watch])
    assert told == [asked, begun]
    assert watch.teller.now(state.view(0))[-1].endswith(used)


def test_the_end_is_told_by_the_result(run: Run) -> None:
    shown = run(*KUHN, typed=["1", "bet"]).stdout
    assert "\nyou (seat 0): played bet\nphase over\n" in shown


def test_what_no_table_names_is_told_as_it_is() -> None:
    view = engine.load("kuhn_poker").setup().new(1).view(0)
    teller = Teller(view, "ja")
    assert teller.phrase("mood", {"good_luck": [True, None], "n": 3}) == "good luck：はい、?；n：3"

"""The command line: what it prints, where, and with which exit code."""

import gc
import json
import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bots
import engine
from bots.levels import LEVELS
from engine import replay
from engine.game import ENGINE_VERSION, LANGUAGES
from server.cli import COMMANDS, main
from server.cli.advice import _fitted
from server.config import Settings
from tests.server.asking import KUHN, asked, refused
from tests.server.conftest import Client

ROOT = Path(__file__).parents[2]
VALID, INVALID = 0, 2

Run = Callable[..., Result]

MINIMAL = ROOT / "examples" / "positions" / "arctic_scavengers" / "minimal.json"


@pytest.fixture
def run() -> Run:
    def invoke(*words: object, stdin: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], input=stdin)

    return invoke


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """A valid observation in a file."""
    file = tmp_path / "kuhn.json"
    file.write_text(json.dumps(KUHN))
    return file


def told(result: Result) -> Any:
    """The one JSON value printed."""
    assert result.exit_code == VALID, result.stderr
    return json.loads(result.stdout)


def test_a_command_leaves_garbage_collection_on_behind_it(run: Run) -> None:
    assert run("bots").exit_code == 0
    assert run("replay", "missing.json").exit_code == 2
    assert gc.isenabled()


def test_a_hint_in_words(run: Run, position: Path) -> None:
    result = run("hint", position, "--iterations", 300, "--seed", 1)
    assert result.exit_code == VALID
    assert result.stdout.split()[0] in ("pass", "bet")
    assert re.search(r"^300 iterations in \d+ ms, seed 1$", result.stdout, re.MULTILINE)
    headings = r"^plan begins with +plan's games +plan's result +and goes on with *$"
    assert re.search(headings, result.stdout, re.MULTILINE)
    assert re.search(r"^(Pass|Put in a chip) +\d+ +[+-]\d\.\d\d ± \d\.\d\d *$", result.stdout, re.MULTILINE)


def test_a_hint_in_japanese(run: Run, position: Path) -> None:
    result = run("hint", position, "--iterations", 300, "--seed", 1, "--lang", "ja")
    *_, table_and_end = result.stdout.partition("。\n")
    headings, *rows, end = table_and_end.splitlines()
    assert headings.split() == ["計画の最初の手", "計画の対局数", "計画の結果", "計画の続き"]
    assert {row.split()[0] for row in rows} == {"パスする", "チップを1枚出す"}
    assert re.fullmatch(r"模擬対局300回、\d+ミリ秒、シード1", end)


def test_worth_is_rough_where_the_games_are_few(run: Run, position: Path) -> None:
    result = run("hint", position, "--iterations", 30, "--seed", 1)
    assert "Too few games to judge" in result.stdout
    assert re.search(r"^(Pass|Put in a chip) +\d+ +about [+-]\d\.\d\d *$", result.stdout, re.MULTILINE)
    assert "±" not in result.stdout


@pytest.mark.parametrize(
    ("language", "left_out", "said"),
    [
        ("en", ("seats",), "assumed seats: 2; see --check"),
        ("ja", ("seats",), "seats: 2 と仮定しました。詳しくは --check で"),
    ],
)
def test_a_hint_says_that_it_assumed(run: Run, language: str, left_out: tuple[str, ...], said: str) -> None:
    position = {name: value for name, value in KUHN.items() if name not in left_out}
    result = run("hint", "-", "--iterations", 30, "--lang", language, stdin=json.dumps(position))
    assert result.stdout.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", r"assumed \d+ things, such as .+; see --check"),
        ("ja", r"\d+件を仮定しました\(例:.+\)。詳しくは --check で"),
    ],
)
def test_a_hint_that_assumed_much_gives_an_example(run: Run, language: str, said: str) -> None:
    result = run("hint", MINIMAL, "--bot", "greedy", "--lang", language)
    assert re.fullmatch(said, result.stdout.splitlines()[-1])


def test_a_hint_that_assumed_nothing_says_so_by_silence(run: Run) -> None:
    result = run("hint", "-", "--iterations", 30, stdin=json.dumps(KUHN | {"moves": ["pass", "bet"]}))
    assert result.stdout.splitlines()[-1].startswith("30 iterations")


async def test_a_hint_is_the_answer_of_the_service(run: Run, position: Path, client: Client) -> None:
    here = told(run("hint", position, "--iterations", 300, "--seed", 1, "--lang", "ja", "--json"))
    reply = await client.opponent.Recommend(asked(budget={"iterations": 300}, seed=1, language="ja"))
    assert here["explanation"] == reply.recommendation.explanation
    assert [step["words"] for step in here["plan"]] == [step.words for step in reply.recommendation.plan]
    assert here["stop_reason"] == "STOP_REASON_BUDGET"


def test_a_hint_from_standard_input_by_a_level(run: Run) -> None:
    result = run("hint", "-", "--level", "casual", "--json", stdin=json.dumps(KUHN))
    assert told(result)["iterations"] == str(LEVELS["casual"].budget.iterations)


def test_a_hint_from_a_bot_of_ones_own(run: Run, position: Path) -> None:
    assert told(run("hint", position, "--bot", "bots.simple:Random", "--json"))["plan"]


@pytest.mark.parametrize("name", engine.names())
def test_a_template_is_valid_as_it_stands(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(run("hint", "--template", name).stdout)
    assert told(run("hint", file, "--check", "--json"))["valid"] is True


def test_check_tells_what_was_assumed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    file.write_text(json.dumps({"game": "kuhn_poker", "seat": 0, "players": [{"hand": ["king"]}], "mood": "good"}))
    result = run("hint", file, "--check")
    assert result.exit_code == VALID
    assert result.stdout.startswith("valid\n")
    assert "assumption: seats" in result.stdout
    assert "warning: mood" in result.stdout


async def test_faults_are_told_as_the_service_tells_them(run: Run, tmp_path: Path, client: Client) -> None:
    wrong = KUHN | {"seat": 7, "moves": ["jump"]}
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong))
    result = run("hint", file, "--iterations", 0)
    lines = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert {line.partition(":")[0] for line in lines} == {"budget.iterations", "seat", "moves[0]"}
    error = await refused(client.opponent.Recommend(asked(wrong, budget={"iterations": 0})))
    assert error.message == "; ".join(lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hint", "--template", "chess"), "game: found 'chess'"),
        (("hint", "no_such_file"), "no_such_file: no such file\n"),
        (("hint", "."), ".: cannot be read: is a directory\n"),
        (("hint", "-"), "line 1 column 2: not JSON (Expecting property name enclosed in double quotes)\n"),
        (("hint", "-", "--bot", "gredy"), "did you mean greedy?"),
        (("hint", "-", "--level", "stong"), "did you mean strong?"),
        (("hint", "-", "--param", "c"), "'c' is not of the form NAME=VALUE"),
        (("hnit",), "Did you mean 'hint'?"),
        (("games", "kuhn_pocker"), "did you mean kuhn_poker?"),
        (("games", "chess"), "game: found 'chess'"),
        (("check", "no_such_file"), "no_such_file: no such file\n"),
        (("replay", "no_such_file"), "no_such_file: no such file\n"),
        (("warmup", "chess"), "game: found 'chess'"),
        (("serve", "--queue", "-1"), "queue: found -1"),
        (("serve", "--listen", "0.0.0.0:0", "--game", "kuhn_poker"), "loopback address, or --insecure"),
        (("serve", "--game", "chess"), "games[0]: found 'chess'"),
    ],
)
def test_what_cannot_be_done_is_told_with_exit_code_2(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run(*words, stdin="{")
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert said in result.stderr


def test_everything_wrong_with_a_hint_is_told_at_once(run: Run) -> None:
    wrong = ("--iterations", 0, "--seed", -1, "--lang", "fr", "--param", "x=1", "--param", "c=99")
    wrong += ("--alternatives", -1, "--parallelism", 0)
    result = run("hint", "-", *wrong, stdin=json.dumps(KUHN | {"seat": 9}))
    told = {line.partition(":")[0] for line in result.stderr.splitlines()}
    names = {"budget.iterations", "seed", "language", "parameters.x", "parameters.c", "max_alternatives", "parallelism"}
    assert told == {*names, "seat"}


def test_what_is_wrong_is_told_to_programs_as_json(run: Run) -> None:
    for words in (("--check",), ("--iterations", 5)):
        result = run("hint", "-", *words, "--json", stdin=json.dumps(KUHN | {"seat": 9}))
        assert result.exit_code == INVALID
        faults = [{"path": "seat", "found": "9", "expected": "a whole number from 0 to 1; seats count from 0"}]
        assert json.loads(result.stdout) == {"valid": False, "faults": faults}
        assert result.stderr == "seat: found 9, expected a whole number from 0 to 1; seats count from 0\n"
    result = run("hint", "-", "--json", stdin=json.dumps(KUHN | {"moves": ["pass"], "to_move": 1}))
    assert json.loads(result.stdout)["faults"][0]["found"] == "seat 0 is not to move: seat 1 is"


def test_a_file_and_a_template_do_not_go_together(run: Run, position: Path) -> None:
    result = run("hint", position, "--template", "kuhn_poker")
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert "do not go together" in result.stderr


def test_first_moves_are_chosen_left_out_and_rated(run: Run, position: Path) -> None:
    asked = ("hint", position, "--iterations", 400, "--seed", 1, "--json")
    assert told(run(*asked, "--only", "bet"))["plan"][0]["move"] == "bet"
    assert told(run(*asked, "--avoid", "bet"))["plan"][0]["move"] == "pass"
    rated = told(run(*asked, "--alternatives", 1, "--evaluate", "pass", "--evaluate", "bet"))["alternatives"]
    assert {other["plan"][0]["move"] for other in rated} == {"pass", "bet"}
    assert told(run(*asked, "--parallelism", 2))["alternatives"] != told(run(*asked))["alternatives"]
    assert "only_moves[1]: found 'fly'" in run(*asked, "--only", "bet", "--only", "fly").stderr


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Cheat", ["bot: found cheat, which would play 'fly', expected one of pass, bet"]),
        (
            "Crasher",
            [
                "bot: found crasher, which raised ZeroDivisionError, expected an answer",
                r"ZeroDivisionError: secret detail \(doubles\.py, line \d+\)",
            ],
        ),
        ("Bot", ["bot: found 'tests.server.doubles:Bot', without think, expected a class that is complete"]),
    ],
)
def test_a_bot_that_fails_is_told_without_a_trace(run: Run, position: Path, bot: str, said: list[str]) -> None:
    result = run("hint", position, "--bot", f"tests.server.doubles:{bot}")
    assert (result.exit_code, result.stdout) == (INVALID, "")
    lines = result.stderr.splitlines()
    assert len(lines) == len(said)
    assert all(re.fullmatch(pattern, line) for pattern, line in zip(said, lines, strict=True))


def test_every_setting_has_an_option(run: Run) -> None:
    listed = run("serve", "--help").stdout
    names = {"games": "game"}
    assert all(f"--{names.get(f.name, f.name).replace('_', '-')}" in listed for f in fields(Settings))


def test_another_seat_is_told_with_exit_code_2(run: Run) -> None:
    result = run("hint", "-", stdin=json.dumps(KUHN | {"moves": ["pass"], "to_move": 1}))
    assert (result.exit_code, result.stderr) == (INVALID, "seat 0 is not to move: seat 1 is\n")


def test_a_hint_on_a_game_that_is_over_says_so(run: Run) -> None:
    kuhn = run("hint", "-", stdin=json.dumps(KUHN | {"moves": ["bet", "pass"], "phase": "over", "to_move": None}))
    arctic = {"game": "arctic_scavengers", "seat": 0, "phase": "over", "players": [{"hand": ["refugee"]}] * 2}
    for result in (kuhn, run("hint", "-", stdin=json.dumps(arctic))):
        assert (result.exit_code, result.stderr) == (INVALID, "the game is over\n")


def test_a_parameter_of_the_bot(run: Run, position: Path) -> None:
    asked = ("hint", position, "--iterations", 300, "--seed", 1, "--json")
    plain, same = told(run(*asked)), told(run(*asked, "--param", "observer=mover"))
    assert plain["alternatives"] == same["alternatives"]
    assert told(run(*asked, "--param", "c=2", "--param", "rollout=uniform"))["alternatives"] != plain["alternatives"]
    result = run(*asked, "--param", "c=eleven", "--param", "obsrver=root")
    assert result.exit_code == INVALID
    assert "parameters.c: found 'eleven', expected a number from 0 to 10" in result.stderr.splitlines()
    assert "did you mean observer?" in result.stderr
    assert run(*asked, "--level", "casual", "--param", "c=1").exit_code == INVALID


def test_the_rest_of_a_plan_is_told_in_words_and_fits(run: Run) -> None:
    position = MINIMAL
    english = run("hint", position, "--iterations", 300, "--seed", 1).stdout
    assert re.search(
        r"^Draw +\d+ +\d+% ± \d\.\d% +Add the Scout; Draw with these cards \(value 2\) *$", english, re.MULTILINE
    )
    japanese = run("hint", position, "--iterations", 300, "--seed", 1, "--lang", "ja").stdout
    assert re.search(r"^山札から引く .*斥候を加える、これらのカードで引く.値2. *$", japanese, re.MULTILINE)
    assert _fitted("斥" * 100, 9) == "斥斥斥斥…"


def test_a_hint_is_the_same_text_in_every_process() -> None:
    code = "from server.cli import main; main()"
    position = ROOT / "examples" / "positions" / "arctic_scavengers" / "skirmish_slot_3p.json"
    asked = [sys.executable, "-c", code, "hint", str(position), "--iterations", "60", "--seed", "3", "--json"]
    texts = [subprocess.run(asked, capture_output=True, text=True, check=True, timeout=100).stdout for _ in range(2)]
    one, other = (re.sub(r'"elapsed_ms": [\d.]+', "", text) for text in texts)
    assert one == other != texts[0]


ANSI, JAPANESE = "cp1252", ("hint", "-", "--iterations", "150", "--lang", "ja")


@pytest.mark.parametrize("encoding", [ANSI, "ascii", "utf-8"])
@pytest.mark.parametrize("words", [JAPANESE, ("games", "arctic_scavengers"), ("bots",)], ids=" ".join)
def test_what_a_terminal_has_no_codes_for_is_told_by_number(encoding: str, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", *words]
    env = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, input=json.dumps(KUHN).encode(), capture_output=True, env=env, timeout=100)
    assert (done.returncode, done.stderr) == (VALID, b"")
    assert (rb"\u" in done.stdout) == (encoding == ANSI and words != ("bots",))


@pytest.mark.parametrize("words", [("games",), ("--help",), ("bots", "--json"), ("games", "arctic_scavengers")])
def test_what_cannot_be_printed_is_told_in_a_line(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", *words]
    with Path(os.devnull).open() as unwritable:
        done = subprocess.run(command, stdout=unwritable, stderr=subprocess.PIPE, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (1, "cannot go on: bad file descriptor\n")


def test_the_versions(run: Run) -> None:
    assert run("--version").stdout == f"emptychair {version('emptychair')}, engine {ENGINE_VERSION}\n"


def test_the_list_of_commands_cuts_no_sentence(run: Run) -> None:
    listed = run("--help").stdout.partition("Commands:\n")[2].splitlines()
    assert {line.split()[0] for line in listed} == {command.name for command in COMMANDS}
    assert [line for line in listed if not re.search(r"\w\.$", line)] == []


def test_halves_of_characters_can_be_told(run: Run) -> None:
    result = run("hint", "-", stdin='{"game": "kuhn_poker", "seat": 0, "moves": ["\\ud800"], "\\ud800": 1}')
    assert result.exit_code == INVALID


def test_the_games(run: Run) -> None:
    first, *rows = run("games").stdout.splitlines()
    assert first.split() == ["game", "title", "seats"]
    assert [row.split()[0] for row in rows] == engine.names()
    assert re.search(r"^arctic_scavengers +Arctic Scavengers, .+ 2 to 5 *$", "\n".join(rows), re.MULTILINE)
    kuhn = next(game for game in told(run("games", "--json"))["games"] if game["game"] == "kuhn_poker")
    assert (kuhn["titles"]["en"], kuhn["min_seats"], kuhn["max_seats"]) == ("Kuhn poker", 2, 2)


@pytest.mark.parametrize("name", engine.names())
def test_one_game(run: Run, name: str) -> None:
    game = engine.load(name)
    listed = told(run("games", name, "--json"))
    assert listed["titles"] == game.titles
    assert listed["switches"] == {switch: list(values) for switch, values in game.switches.items()}
    assert listed["switch_descriptions"] == game.switch_descriptions
    in_words = run("games", name).stdout
    assert all(word in in_words for word in (game.titles["ja"], *game.modules, *game.switches))
    assert all(text in in_words for texts in game.switch_descriptions.values() for text in texts.values())


def test_seats_of_a_game(run: Run) -> None:
    assert "; 2 seats\n" in run("games", "kuhn_poker").stdout
    assert "; 2 to 5 seats\n" in run("games", "arctic_scavengers").stdout


@pytest.mark.parametrize("name", engine.names())
def test_every_house_rule_is_described_in_both_languages(name: str) -> None:
    game = engine.load(name)
    assert game.switch_descriptions.keys() == game.switches.keys()
    for sentences in game.switch_descriptions.values():
        assert sentences.keys() == set(LANGUAGES)
        assert sentences["en"].endswith(".")
        assert sentences["ja"].endswith("。")


def test_listing_games_compiles_none(tmp_path: Path) -> None:
    code = "from server.cli import main; main(['games'])"
    subprocess.run([sys.executable, "-c", code], check=True, env={"EMPTYCHAIR_CACHE": str(tmp_path)}, timeout=60)
    assert [folder.name for folder in tmp_path.glob("*") if not folder.name.startswith("engine-")] == []


def test_the_bots(run: Run) -> None:
    listed = told(run("bots", "--json"))
    assert [bot["name"] for bot in listed["bots"]] == bots.names()
    in_words = run("bots").stdout
    assert all(word in in_words for word in (*bots.names(), *LEVELS, "progress_weight", "hint --param NAME=VALUE"))
    parameters = [parameter for bot in listed["bots"] for parameter in bot.get("parameters", [])]
    assert all(parameter["description"] in in_words for parameter in parameters)
    assert re.search(r"^clairvoyant .* In arenas only\. *$", in_words, re.MULTILINE)
    assert in_words.count("In arenas only") == 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_gives_an_example(run: Run, command: Any) -> None:
    result = run(command.name, "--help")
    assert result.exit_code == VALID
    assert f"Example:\n    emptychair {command.name}" in result.stdout


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from server.cli import main; main(['--help'], standalone_mode=False)"
    code += "; sys.stderr.write('|'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert {"engine", "bots", "numba", "grpc", "google.protobuf", "rich"}.isdisjoint(done.stderr.split("|"))


def test_warmup_marks_a_game_as_ready(run: Run) -> None:
    assert told(run("warmup", "kuhn_poker", "--json"))["game"] == "kuhn_poker"
    assert run("warmup", "kuhn_poker").stderr == ""  # nothing left to compile, nothing to wait for


def test_the_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [{"figure": "a", "value": 1.5, "unit": "x", "peer": None, "ratio": 2.0, "goal": 1, "holds": True}]
    monkeypatch.setitem(sys.modules, "server.bench", types.SimpleNamespace(run=lambda *_: iter(figures)))
    assert told(run("bench", "--json")) == figures[0]
    assert run("bench").stdout.splitlines()[1].split() == ["a", "1.5", "x", "2", "1", "yes"]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    file = tmp_path / "cases.toml"
    file.write_text(
        """
        game = "kuhn_poker"
        [[case]]
        name = "the first seat may bet"
        world = {players = [{hand = ["king"]}, {hand = ["jack"]}]}
        expect = {legal = ["bet", "pass"]}
        [[case]]
        name = "a wrong hope"
        world = {players = [{hand = ["king"]}, {hand = ["jack"]}]}
        moves = ["bet", "pass"]
        expect = {returns = [2, -2]}
        """
    )
    return file


def test_cases_that_do_not_hold_give_exit_code_1(run: Run, vectors: Path) -> None:
    result = run("check", vectors)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{vectors}: a wrong hope",
        "    returns: found [1.0, -1.0], expected [2, -2]",
        "2 cases, 1 failed",
    ]


def test_cases_for_programs(run: Run, vectors: Path) -> None:
    lines = [json.loads(line) for line in run("check", vectors, "--json").stdout.splitlines()]
    assert [(line["case"], line["holds"]) for line in lines] == [
        ("the first seat may bet", True),
        ("a wrong hope", False),
    ]
    assert lines[1]["differences"]


def test_a_faulty_file_of_cases_is_told_with_its_name(run: Run, vectors: Path) -> None:
    vectors.write_text(vectors.read_text().replace("legal", "leagl"))
    result = run("check", vectors)
    assert result.exit_code == INVALID
    assert result.stderr.startswith(f"{vectors}: case[0].expect.leagl: ")


def test_a_replay_in_words(run: Run, tmp_path: Path) -> None:
    setup = engine.load("kuhn_poker").setup()
    _, played = setup.new(5).play_texts(["pass", "bet", "pass"])
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(replay.record(setup, 5, played).lines()))
    assert run("replay", file).stdout.splitlines()[0].split() == ["seat", "0", "pass", "Pass"]
    lines = [json.loads(line) for line in run("replay", file, "--json", "--lang", "ja").stdout.splitlines()]
    assert [line.get("move") for line in lines] == ["pass", "bet", "pass", None]
    assert not lines[0]["words"].isascii()
    assert lines[-1] == {"returns": [-1.0, 1.0]}

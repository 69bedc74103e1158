"""The arena: who meets whom, one game whatever the bots do, results as lines, the same by any number of workers."""

import json
import os
import signal
from abc import abstractmethod
from asyncio import CancelledError
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from multiprocessing import active_children
from typing import Any

import numpy as np
import pytest

import engine
from bots import Answer, Bot, Budget, Request, make
from bots.arena import Contest, Result, contest_of, run
from bots.arena.entrant import USUAL, read_entrant, read_entrants
from bots.arena.pairing import games, is_line_up, line_ups, rotations, tasks
from bots.arena.playing import Match, Player, Table, search_seed
from bots.arena.reading import read
from bots.arena.results import line_of
from bots.arena.running import WorkerLost
from bots.bot import answer_of
from bots.levels import LEVELS
from bots.simple import Random
from engine.faults import InvalidInput
from engine.game import Move, State, View
from engine.rng import mixed, one_way
from tests.bots.toy import GAME as TOY

KUHN, LEDUC = engine.load("kuhn_poker"), engine.load("leduc_poker")
QUICK = Request(Budget(iterations=200))
HERE = "tests.bots.test_arena"


def seated(*bots: Bot, request: Request = QUICK) -> list[Player]:
    return [Player(bot, request) for bot in bots]


def played(contest: Contest, workers: int = 0) -> list[Result]:
    return [game for some in run(contest, workers) for game in some]


def faults(call: Callable[..., object], *given: object) -> dict[str, str]:
    """The paths that a call refuses, and what it expected there."""
    with pytest.raises(InvalidInput) as refused:
        call(*given)
    return {fault.path: fault.expected for fault in refused.value.faults}


@pytest.mark.parametrize(
    ("text", "bot", "budget", "parameters"),
    [
        ("greedy", "greedy", USUAL, {}),
        ("ismcts@500", "ismcts", Budget(iterations=500), {}),
        ("ismcts@50ms", "ismcts", Budget(time_ms=50), {}),
        ("ismcts:c=0.5,observer=root", "ismcts", USUAL, {"c": 0.5, "observer": "root"}),
        ("bots.simple:Greedy@7", "bots.simple:Greedy", Budget(iterations=7), {}),
        ("bots.ismcts:Ismcts@7:cutoff=3", "bots.ismcts:Ismcts", Budget(iterations=7), {"cutoff": 3}),
        ("strong", LEVELS["strong"].bot, LEVELS["strong"].budget, LEVELS["strong"].parameters),
        ("strong@7ms", LEVELS["strong"].bot, Budget(time_ms=7), LEVELS["strong"].parameters),
    ],
)
def test_an_entrant_is_read(text: str, bot: str, budget: Budget, parameters: dict[str, object]) -> None:
    entrant = read_entrant(text)
    assert (entrant.text, entrant.bot, entrant.budget, entrant.parameters) == (text, bot, budget, parameters)


def test_an_entrant_has_one_name() -> None:
    assert read_entrant(" ismcts@0500:observer=root,c=0.5 ").text == "ismcts@500:c=0.5,observer=root"


def test_an_entrant_may_think_for_as_long_as_is_usual_elsewhere() -> None:
    second = Budget(time_ms=1000)
    budgets = [read_entrant(text, second).budget for text in ("ismcts", "ismcts@50", "strong")]
    assert budgets == [second, Budget(iterations=50), LEVELS["strong"].budget]


def test_the_same_entrant_under_two_names_is_refused() -> None:
    casual = f"ismcts@{LEVELS['casual'].budget.iterations}"
    for one, other in (("random@10", "random"), ("beginner", "greedy"), ("casual", casual)):
        assert list(faults(read_entrants, [one, other])) == ["entrants[1]"]
    assert len(read_entrants(["ismcts@10", "ismcts", "casual", "strong"])) == 4


def test_an_unknown_entrant_is_told_of_levels_and_bots() -> None:
    told = faults(read_entrants, ["exprt", "greedy"])["entrants[0].bot"]
    assert told.startswith("one of beginner, casual, strong, expert, clairvoyant, ")
    assert told.endswith(", or package.module:Class; did you mean expert?")
    assert list(faults(read_entrants, ["strong:c=1", "greedy"])) == ["entrants[0].parameters"]


def test_all_faults_of_entrants_are_told() -> None:
    texts = ["chess", "ismcts@0", "ismcts:c=99,d=1", "greedy", "bots.simple:Greedy", "greedy@", "ismcts:c=1,c=2"]
    assert list(faults(read_entrants, texts)) == [
        "entrants[0].bot",
        "entrants[1].budget.iterations",
        "entrants[2].params.c",
        "entrants[2].params.d",
        "entrants[4]",
        "entrants[5]",
        "entrants[6].parameters",
    ]
    assert list(faults(read_entrants, ["greedy"])) == ["entrants"]


def test_all_faults_of_a_contest_are_told() -> None:
    with pytest.raises(InvalidInput) as refused:
        contest_of(KUHN, ["greedy", "chess"], 0, -1, seats=7)
    assert [fault.path for fault in refused.value.faults] == ["deals", "seed", "entrants[1].bot", "seats"]


def test_who_meets_whom() -> None:
    assert line_ups(2, 2) == [(0, 1)]
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(2, 4) == [(0, 1, 1, 1)]
    assert list(rotations("abb")) == [tuple("abb"), tuple("bba"), tuple("bab")]


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (4, 3), (2, 4), (3, 5)])
def test_a_line_up_is_known_whichever_way_it_is_turned(entrants: int, seats: int) -> None:
    meet = {players for some in line_ups(entrants, seats) for players in rotations(some)}
    assert {players for players in product(range(entrants), repeat=seats) if is_line_up(players, entrants)} == meet


def test_every_pair_meets_on_every_deal_at_both_seats() -> None:
    contest = contest_of(KUHN, ["greedy", "random", "ismcts@10"], 4)
    results = played(contest)
    assert len(results) == games(contest) == 24
    assert Counter(result.entrants for result in results) == dict.fromkeys(
        ((a, b) for a in contest.entrants for b in contest.entrants if a != b), 4
    )
    assert [task.deal for task in tasks(contest)] == sorted([0, 1, 2, 3] * 3)


def test_the_deals_are_those_of_the_contract() -> None:
    """A game of a run is that of the same players on the deal of seed splitmix64(seed, i)."""
    contest = contest_of(LEDUC, ["greedy", "ismcts@20"], 3, 11)
    match = Table(LEDUC.setup()).play(
        [Player(make("greedy"), QUICK), Player(make("ismcts"), Request(Budget(iterations=20)))],
        int(mixed(engine.game.np.uint64(11), engine.game.np.uint64(2))),
    )
    assert played(contest)[4].returns == match.returns


def test_a_game_is_played_again_from_its_moves() -> None:
    bots = [make("ismcts"), make("random")]
    match = Table(LEDUC.setup()).play(seated(*bots), 7)
    state = LEDUC.setup().new(7)
    for move in match.moves:
        assert state.to_move == move.seat
        state.play(state.game.parse(state, move.text))
    assert tuple(state.returns()) == match.returns
    again = Table(LEDUC.setup()).play(seated(*bots), 7)
    assert (match.moves, match.returns) == (again.moves, again.returns)


def test_forced_moves_are_played_and_are_no_decisions() -> None:
    matches = [Table(TOY.setup()).play(seated(make("greedy"), make("greedy")), seed) for seed in range(12)]
    assert {match.decisions for match in matches} == {5, 6}  # the last answer is free only with the king
    assert all(len(match.moves) == 6 for match in matches)
    assert all(match.used[1].actions == {"a": 1} for match in matches)


def test_what_was_used_is_counted_for_each_seat() -> None:
    match = Table(engine.load("arctic_scavengers").setup()).play(seated(make("random"), make("greedy")), 1)
    for seat, used in enumerate(match.used):
        moves = [move.text.split() for move in match.moves if move.seat == seat]
        assert used.actions == Counter(verb for verb, *_ in moves)
        assert used.cards == Counter(words[0] for _, *words in moves if words not in ([], ["none"]))
        assert used.actions["draw"] > 0


class Double(Bot):
    """Acts on the second decision of each game, and plays at random until then."""

    name = "double"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        return answer_of(view, request, moves[0], "")

    def recommend(self, view: View | State, request: Request | None = None) -> Answer:
        return self.act(super().recommend(view, request)) if view.data[0].turn > 1 else super().recommend(view, request)

    @abstractmethod
    def act(self, answer: Answer) -> Any:
        """What it gives in place of its answer."""


class Crasher(Double):
    def act(self, answer: Answer) -> Answer:
        raise ZeroDivisionError("a long\nstory")


class Quitter(Double):
    def act(self, answer: Answer) -> Answer:
        raise SystemExit(3)


class Silent(Double):
    def act(self, answer: Answer) -> Any:
        return None


class Cheat(Double):
    def act(self, answer: Answer) -> Answer:
        object.__setattr__(answer.plan[0], "move", "win")
        return answer


class Dreamer(Double):
    def act(self, answer: Answer) -> Answer:
        object.__setattr__(answer.plan[0], "move", ["bet"])
        return answer


class Wordless(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError


class Mute(Double):
    def act(self, answer: Answer) -> Answer:
        raise Wordless


class Canceller(Double):
    def act(self, answer: Answer) -> Answer:
        raise CancelledError("not this game")


class Killer(Double):
    """Ends the process it runs in, as a system does that is out of memory."""

    def act(self, answer: Answer) -> Answer:
        os.kill(os.getpid(), signal.SIGKILL)
        return answer


class Leaver(Double):
    """Ends the process it runs in by itself."""

    def act(self, answer: Answer) -> Answer:
        os._exit(0)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Crasher, ("crash", "ZeroDivisionError: a long story")),
        (Quitter, ("crash", "SystemExit: 3")),
        (Silent, ("crash", "AttributeError: 'NoneType' object has no attribute 'plan'")),
        (Cheat, ("illegal", "'win' is not legal here")),
        (Dreamer, ("illegal", "a list, not the text of a move")),
        (Mute, ("crash", "Wordless")),
        (Canceller, ("crash", "CancelledError: not this game")),
    ],
)
def test_who_breaks_the_rules_loses_the_game(kind: type[Bot], said: tuple[str, str]) -> None:
    match = Table(LEDUC.setup()).play(seated(make("greedy"), kind()), 1)
    assert match.returns == (LEDUC.max_return, LEDUC.min_return)
    assert match.fouls == ((1, *said),)
    assert match.decisions == len(match.moves) > 0


def test_the_others_share_what_a_loser_leaves() -> None:
    setup = engine.load("arctic_scavengers").setup(3)

    class Fails(Bot):
        name = "fails"

        def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
            raise ZeroDivisionError

    match = Table(setup).play(seated(make("greedy"), Fails(), make("greedy")), 1)
    assert match.returns == (0.5, 0.0, 0.5)


class Sleeper(Double):
    def act(self, answer: Answer) -> Answer:
        import time

        time.sleep(0.08)
        return answer


def test_an_overrun_is_counted_and_costs_nothing() -> None:
    slow = seated(make("greedy"), Sleeper(), request=Request(Budget(time_ms=1)))
    match = Table(LEDUC.setup()).play(slow, 1)
    patient = seated(make("greedy"), Sleeper(), request=Request(Budget(iterations=1)))
    assert {(foul.seat, foul.kind) for foul in match.fouls} == {(1, "overrun")}
    assert Table(LEDUC.setup()).play(patient, 1).returns == match.returns
    assert match.thinking_ms <= match.ms


class Spy(Random):
    """Notes what it was shown of the other seat's card."""

    name = "spy"
    shown: list[bool] = []

    def recommend(self, view: View | State, request: Request | None = None) -> Answer:
        seat = view.to_move
        self.shown.append(bool(view.data[0].card[1 - seat]) or bool(view.data[0].rng))
        return make("random").recommend(view if isinstance(view, View) else view.view(seat), request)


class Seer(Spy):
    """The same for one that is given the true state."""

    cheats = True
    shown: list[bool] = []


class Reader(Random):
    """Notes how much memory it is shown, which object it is, and the seed it is asked with."""

    name = "reader"
    seen: list[tuple[int, int, int]] = []

    def recommend(self, view: View | State, request: Request | None = None) -> Answer:
        assert isinstance(view, View)
        assert request is not None
        assert request.seed is not None
        memory = view.data
        while isinstance(memory.base, np.ndarray):
            memory = memory.base
        self.seen.append((memory.nbytes, view.seat, request.seed))
        self.seats = getattr(self, "seats", set()) | {view.seat}
        assert self.seats == {view.seat}, "another seat's bot"
        return super().recommend(view, request)


def test_a_bot_sees_no_memory_but_its_view_and_sits_at_one_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "seen", [])
    text = f"{HERE}:Reader"
    met = contest_of(engine.load("arctic_scavengers"), [text, "random"], deals=1, seats=3)
    games = [game for task in run(met) for game in task]
    assert not any(game.faults for game in games)
    size = engine.load("arctic_scavengers").state_dtype.itemsize
    assert {nbytes for nbytes, _, _ in Reader.seen} == {size}


def test_no_seed_of_a_search_leads_to_the_deal() -> None:
    """`mixed(seed, n)` can be turned round: what bots are given must not be that of the deal's seed."""
    for seed in range(50):
        assert search_seed(seed, 0) != int(mixed(np.uint64(seed), np.uint64(0)))
        assert one_way(seed, 1) not in (seed, int(mixed(np.uint64(seed), np.uint64(1))))
    assert len({one_way(seed, n) for seed in range(50) for n in range(50)}) == 2500


def test_bots_are_given_views_only_unless_they_cheat() -> None:
    Table(LEDUC.setup()).play(seated(Spy(), Seer()), 1)
    assert set(Spy.shown) == {False}
    assert set(Seer.shown) == {True}


def test_a_cheat_cannot_change_the_game() -> None:
    class Vandal(Seer):
        def recommend(self, view: View | State, request: Request | None = None) -> Answer:
            answer = super().recommend(view, request)
            view.data[0].card[:] = 0
            return answer

    honest, vandal = (Table(LEDUC.setup()).play(seated(make("greedy"), bot), 1) for bot in (Seer(), Vandal()))
    assert honest.returns == vandal.returns


def without_times(results: Sequence[Result]) -> list[Result]:
    return [result._replace(ms=0.0) for result in results]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_results_are_the_same_by_any_number_of_workers(workers: int) -> None:
    contest = contest_of(LEDUC, ["ismcts@30", "random", f"{HERE}:Crasher"], 6, 5)
    alone = played(contest)
    assert without_times(alone) == without_times(played(contest, workers))
    assert {foul.kind for result in alone for foul in result.faults} == {"crash"}


@pytest.mark.parametrize(("workers", "kind"), [(2, "Killer"), (1, "Leaver")])
def test_a_worker_that_ends_is_told_and_none_is_left(workers: int, kind: str) -> None:
    contest = contest_of(LEDUC, ["random", f"{HERE}:{kind}"], 50)
    with pytest.raises(WorkerLost, match="a worker process was ended"):
        played(contest, workers)
    assert not [child for child in active_children() if child.is_alive()]


def test_a_run_that_is_left_leaves_no_process() -> None:
    running = run(contest_of(KUHN, ["greedy", "random"], 100_000), 2)
    assert len(next(running)) == 2
    running.close()
    for child in active_children():
        child.join(10)
    assert not active_children()


@pytest.fixture
def kept() -> Iterator[list[str]]:
    contest = contest_of(LEDUC, ["greedy", f"{HERE}:Crasher"], 3)
    return [line_of(contest), *map(line_of, played(contest))]


def test_results_are_read_as_they_were_written(kept: list[str]) -> None:
    contest, results, warnings = read("\n".join(kept))
    assert [line_of(contest), *map(line_of, results)] == kept
    assert list(json.loads(kept[0])) == list(Contest._fields)
    assert list(json.loads(kept[1])) == list(Result._fields)
    assert warnings == []


def test_all_faults_of_results_are_told(kept: list[str]) -> None:
    game = json.loads(kept[1])
    wrong = [
        game | {"deal": 3, "returns": [1, "x"], "decisions": -1},
        game
        | {"entrants": ["greedy"], "faults": [{"seat": 9, "kind": "rude"}], "used": [{"actions": {"bet": "x"}}, {}]},
        game | {"ms": None, "used": [1]},
        game | {"returns": [99, -99], "entrants": ["greedy", "greedy"]},
    ]
    assert list(faults(read, "\n".join([kept[0], *map(json.dumps, wrong), "{\n"]))) == [
        "line 2.returns[1]",
        "line 2.deal",
        "line 2.decisions",
        "line 3.entrants",
        "line 3.faults[0].seat",
        "line 3.faults[0].kind",
        "line 3.used[0].actions.bet",
        "line 4.ms",
        "line 4.used",
        "line 5.returns[0]",
        "line 5.returns[1]",
        "line 5.entrants",
        "line 6",
    ]
    assert list(faults(read, "")) == [""]


def test_without_a_header_there_are_faults_of_the_header_alone(kept: list[str]) -> None:
    header = json.loads(kept[0]) | {"seed": -1, "options": {"modules": 1, "rules": []}, "entrants": ["a", "a"]}
    told = ["header.entrants", "header.options.modules", "header.seed"]
    assert list(faults(read, "\n".join([json.dumps(header), "{}"]))) == told
    assert list(faults(read, "{}")) == ["header.entrants", "header.seats", "header.deals", "header.game"]


def test_a_game_that_is_there_twice_is_told_by_its_lines(kept: list[str]) -> None:
    with pytest.raises(InvalidInput, match="line 8: found the game of line 3, expected each game once"):
        read("\n".join([*kept, kept[2]]))


@pytest.mark.parametrize("left", [1, 20, -1])
def test_a_last_line_that_was_cut_is_left_out_with_a_warning(kept: list[str], left: int) -> None:
    contest, results, warnings = read("\n".join([*kept[:-1], kept[-1][:left]]))
    assert [line_of(contest), *map(line_of, results)] == kept[:-1]
    assert warnings == ["line 7: cut off, and left out"]


def test_results_of_other_rules_are_read_with_a_warning(kept: list[str]) -> None:
    for other in ({"rules_hash": "0" * 16}, {"rules_hash": "0" * 16, "options": {"modules": ["of another version"]}}):
        warnings = read("\n".join([json.dumps(json.loads(kept[0]) | other), *kept[1:]])).warnings
        assert warnings == ["rules_hash: played under other rules or another version (0.1.0)"]


def test_a_run_names_games_of_this_machine_only(kept: list[str]) -> None:
    header = json.loads(kept[0]) | {"game": "tests.bots.toy:GAME"}
    assert list(faults(read, "\n".join([json.dumps(header), *kept[1:]]))) == ["header.game"]


def test_matches_are_timed() -> None:
    match: Match = Table(KUHN.setup()).play(seated(make("ismcts"), make("random")), 1)
    assert 0 < match.thinking_ms < match.ms

"""A game at the terminal: people against bots, in plain text."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from server.cli.terminal import example, own_games, read_text, say, settings, show
from server.cli.wording import FORCED

if TYPE_CHECKING:
    from bots.bot import Answer
    from engine.game import Move, Played, Setup, View
    from engine.replay import Replay
    from server.order import Order

OPPONENT = "strong"
HINT_BOT = "ismcts"
CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what was scrolled off it
ASK = "> "
WORDS = {
    "en": {
        "ask": "Seat {}: pick a number or type a move (help: all commands).",
        "bot": "seat {}: {}",
        "commands": "A number or the text of a move plays it. hint: what the computer would play. view: all you know. "
        "save FILE: keep the game there. help: this. quit: leave.",
        "kept": "saved in {0}; go on with: emptychair play --resume {0}",
        "lost": "not saved: nobody said where (save FILE, or play with --save FILE)",
        "nobody": "Nobody wins.",
        "pass": "Pass the screen to seat {}, who presses Enter.",
        "saved": "saved in {}",
        "score": "{}. seat {} ({}): {}",
        "shared": "Seats {} share the win.",
        "start": "{title}, {seats} seats. {who}",
        "told": "Since then:",
        "unknown": "{}: neither a move nor a command; type help",
        "where": "save where? save FILE",
        "won": "Seat {} wins.",
        "you": "a person",
    },
    "ja": {
        "ask": "席{}:番号か手を入力してください(help:コマンド一覧)。",
        "bot": "席{}:{}",
        "commands": "番号か手の文字列で手を指します。hint:コンピューターの勧める手。view:知っていることのすべて。"
        "save FILE:ゲームを保存。help:この説明。quit:やめる。",
        "kept": "{0} に保存しました。続きは emptychair play --resume {0}",
        "lost": "保存していません(save FILE か、始めるときに --save FILE で保存先を指定できます)",
        "nobody": "勝者はいません。",
        "pass": "画面を席{}の人に渡してください。その人がEnterを押します。",
        "saved": "{} に保存しました",
        "score": "{}位 席{}({}):{}",
        "shared": "席{}が勝利を分け合います。",
        "start": "{title}、{seats}席。{who}",
        "told": "その後の出来事:",
        "unknown": "{}:手でもコマンドでもありません。help で説明を表示します",
        "where": "保存先を指定してください:save FILE",
        "won": "席{}の勝ちです。",
        "you": "人",
    },
}


class Chairs(NamedTuple):
    """Who sits where: people, and the bots by the names they were asked for with."""

    people: tuple[int, ...]
    opponents: Mapping[int, str]


class Left(Exception):
    """The person leaves the table."""


@click.command(epilog=example("emptychair play kuhn_poker --opponent casual --save game.jsonl"))
@click.argument("name", metavar="[GAME]", required=False)
@own_games
@click.option("--seats", type=int, help="Number of seats; the least the game allows if not given.")
@click.option("--seat", "people", type=int, multiple=True, help="A person's seat (default 0); may be repeated.")
@click.option("--opponent", "opponents", multiple=True, help="A level or a bot; repeated: one for each free seat.")
@click.option("--module", "modules", multiple=True, help="A module to play with; may be repeated.")
@click.option(
    "--rule", "rules", multiple=True, metavar="SWITCH=VALUE", callback=settings, help="A house rule; may be repeated."
)
@click.option("--seed", type=int, help="Seed of the deal and of the bots (0..2^64-1); drawn if not given.")
@click.option("--hint-ms", type=int, default=1000, help="How long a hint may think (1..600,000 ms; default 1,000).")
@click.option("--lang", "language", default="en", help="Language of the words: en (default) or ja.")
@click.option("--save", type=click.Path(path_type=Path), help="Keep the game in this file, after every move.")
@click.option(
    "--resume", type=click.Path(path_type=Path), help="Go on with a game that was kept; GAME may be left out."
)
def play(name: str | None, save: Path | None, resume: Path | None, language: str, hint_ms: int, **asked: Any) -> None:
    """Play GAME against bots, or with several people at one terminal."""
    from bots import Budget
    from server.order import read_language

    language, budget = read_language(language), Budget(time_ms=hint_ms)
    if save and save.exists() and save != resume:
        raise _fault("save", str(save), "a file that does not exist yet, or --resume with it")
    if resume:
        table = _resumed(resume, name, asked, language)
    elif name:
        table = _new(name, asked, language)
    else:
        raise click.UsageError("Missing argument 'GAME' or option '--resume FILE'.")
    table.hint = budget
    table.file = save or resume
    _run(table)


def _run(table: "Table") -> None:
    """Plays to the end, or until the person leaves; what was played is kept either way."""
    try:
        table.keep()
        table.open()
        while not table.state.over:
            table.turn()
    except (click.Abort, KeyboardInterrupt, Left):
        show("")
        show(table.words["kept"].format(table.file) if table.file else table.words["lost"])
        return
    table.end()


def _fault(path: str, found: str, expected: str) -> ValueError:
    from engine.faults import Fault, InvalidInput

    return InvalidInput([Fault(path, found, expected)])


def _new(name: str, asked: Mapping[str, Any], language: str) -> "Table":
    import secrets

    import engine
    from server.warm import ready

    name = engine.admit(name)
    ready(name, say)
    setup = engine.load(name).setup(asked["seats"], asked["modules"], asked["rules"])
    chairs = _chairs(setup, asked["people"] or (0,), asked["opponents"] or (OPPONENT,))
    seed = secrets.randbits(64) if asked["seed"] is None else asked["seed"]
    return Table(setup, seed, chairs, _orders(chairs, trusted=True), language)


def _chairs(setup: "Setup", people: Sequence[int], opponents: Sequence[str]) -> Chairs:
    """Everybody at the table; one opponent alone takes every free seat."""
    wrong = [seat for seat in people if not 0 <= seat < setup.seats]
    if wrong:
        raise _fault("seat", str(wrong[0]), f"a whole number from 0 to {setup.seats - 1}")
    free = [seat for seat in range(setup.seats) if seat not in people]
    if len(opponents) not in (1, len(free)):
        raise _fault("opponent", f"{len(opponents)} of them", f"one, or one for each of {len(free)} free seats")
    names = list(opponents) * (len(free) if len(opponents) == 1 else 1)
    return Chairs(tuple(sorted(set(people))), dict(zip(free, names, strict=True)))


def _orders(chairs: Chairs, trusted: bool) -> "dict[int, Order]":
    """The bots; only names typed on this machine may be paths of code."""
    from bots.levels import LEVELS
    from server.order import read_order

    return {
        seat: read_order({"level" if name in LEVELS else "bot": name}, trusted=trusted)
        for seat, name in chairs.opponents.items()
    }


def _resumed(file: Path, name: str | None, asked: Mapping[str, Any], language: str) -> "Table":
    """The table as it was left, moves and all."""
    from engine import replay
    from server.warm import ready

    fixed = [option for option in ("seats", "people", "modules", "rules") if asked[option]]
    if fixed or asked["seed"] is not None:
        raise _fault("resume", "options of a new game beside it", "at most --opponent, --lang, --hint-ms and --save")
    lines = read_text(file).splitlines()
    kept = replay.read(lines)
    if name not in (None, kept.game):
        raise _fault("game", kept.game, f"{name}, as it was asked for")
    ready(kept.game, say)
    setup = kept.setup()
    if kept.rules_hash != setup.rules_hash:
        expected = f"{setup.rules_hash}, the rules played here: this game was begun under others"
        raise _fault("rules_hash", kept.rules_hash or "none", expected)
    people, opponents = _kept_chairs(lines)
    chairs = _chairs(setup, people, asked["opponents"] or opponents or (OPPONENT,))
    table = Table(setup, kept.seed, chairs, _orders(chairs, trusted=bool(asked["opponents"])), language)
    table.catch_up(kept)
    return table


def _kept_chairs(lines: Sequence[str]) -> tuple[list[int], list[str]]:
    """Who sat where, from the header: the seats of people, and the opponents in the order of theirs."""
    from engine.faults import Reader

    header = Reader(json.loads(next(line for line in lines if line.strip())))
    people, opponents = header.raw("people"), header.raw("opponents") or []
    for name, value, kind, noun in (("people", people, int, "seats"), ("opponents", opponents, str, "names")):
        if not isinstance(value, list) or not all(isinstance(entry, kind) for entry in value):
            header.fault(name, value, f"a list of {noun}, as `emptychair play` writes it")
    header.done()
    return people, opponents


class Table:
    """A game going on, with those who play it."""

    def __init__(self, setup: "Setup", seed: int, chairs: Chairs, bots: "Mapping[int, Order]", language: str) -> None:
        from bots import Budget
        from server.cli.watching import Watch

        self.seed, self.chairs, self.bots, self.language = seed, chairs, bots, language
        self.words = WORDS[language]
        self.state = setup.new(seed)
        self.played: list[Played] = []
        self.watches = {seat: Watch(self.state, seat, language) for seat in chairs.people}
        self.at_screen = chairs.people[0]  # whose view is, or may be, on the screen
        self.file: Path | None = None
        self.hint = Budget()

    # ---- what is played and kept

    def play(self, move: "Move") -> None:
        """Plays a move and the forced ones after it, one by one, before the eyes of all people."""
        from engine.game import Played

        number, forced, state = move.id, False, self.state
        while True:
            mover, text = state.to_move, state.game.move_text(state.setup, state.data, number)
            fields = state.game.move_fields(state.setup, state.data, number)
            state.step(number)
            self.played.append(Played(mover, text, forced))
            for watch in self.watches.values():
                watch.see(state, mover, number, fields)
            following = state.legal()
            if len(following) != 1:
                return
            number, forced = following[0], True

    def catch_up(self, kept: "Replay") -> None:
        """Plays the moves of a kept game; raises `InvalidInput` at the first that does not fit."""
        for _ in kept.states():
            pass
        for turn in kept.turns:
            self.play(self.state.game.parse(self.state, turn.move))
        for watch in self.watches.values():
            watch.told()

    def keep(self) -> None:
        """Writes the game to its file, whole or not at all."""
        if self.file is None:
            return
        unfinished = self.file.with_name(self.file.name + ".part")
        try:
            unfinished.write_text("".join(f"{line}\n" for line in self._lines()), encoding="utf-8")
            unfinished.replace(self.file)
        except OSError as error:
            raise _fault("save", str(self.file), f"a file that can be written ({error.strerror})") from error

    def _lines(self) -> Iterator[str]:
        """A replay, with who sits where in its header."""
        from engine.replay import record

        header, *turns = record(self.state.setup, self.seed, self.played).lines()
        sitting = {"people": self.chairs.people, "opponents": list(self.chairs.opponents.values())}
        yield json.dumps(json.loads(header) | sitting, ensure_ascii=False)
        yield from turns

    # ---- what happens at the terminal

    def open(self) -> None:
        """Says what is played and by whom."""
        setup = self.state.setup
        who = ", ".join(self.words["bot"].format(seat, self.who(seat)) for seat in range(setup.seats))
        title = setup.game.titles.get(self.language, setup.game.name)
        show(self.words["start"].format(title=title, seats=setup.seats, who=who))

    def who(self, seat: int) -> str:
        """Who sits there."""
        return self.chairs.opponents.get(seat, self.words["you"])

    def turn(self) -> None:
        """One decision, by a bot or a person."""
        seat = self.state.to_move
        move = self._asked(seat) if seat in self.watches else self._chosen(seat)
        self.play(move)
        self.keep()

    def _chosen(self, seat: int) -> "Move":
        """What the bot plays, who is given the view of its seat; its seed follows from the game's."""
        from dataclasses import replace

        import numpy as np

        from engine.rng import mixed

        bot, request = self.bots[seat]
        decisions = sum(not played.forced for played in self.played)
        request = replace(request, seed=int(mixed(np.uint64(self.seed), np.uint64(decisions))))
        answer = bot.recommend(self.state.view(seat), request)
        return self.state.game.parse(self.state, answer.plan[0].move)

    def _asked(self, seat: int) -> "Move":
        """What the person plays."""
        self._pass_screen(seat)
        watch, view = self.watches[seat], self.state.view(seat)
        if told := watch.told():
            show("\n".join([self.words["told"], *(f"  {line}" for line in told)]))
        show("")
        show("\n".join(watch.teller.now(view) if watch.building else watch.teller.lines(view)))
        moves = view.moves()
        self._show_moves(view, moves)
        while True:
            typed = " ".join(click.prompt(ASK.strip(), prompt_suffix=" ").split())
            if move := _picked(typed, moves):
                return move
            self._command(view, typed)

    def _pass_screen(self, seat: int) -> None:
        """Before another person's view is shown, the former one goes and the screen changes hands."""
        if seat == self.at_screen:
            return
        if sys.stdout.isatty():
            click.echo(CLEAR, nl=False)
        click.prompt(self.words["pass"].format(seat), default="", show_default=False, prompt_suffix=" ")
        self.at_screen = seat

    def _show_moves(self, view: "View", moves: "Sequence[Move]") -> None:
        show(self.words["ask"].format(view.seat))
        width = max(len(move.text) for move in moves)
        for i, move in enumerate(moves, start=1):
            words = view.game.move_words(view.setup, view.data, move.id, self.language)
            show(f"{i:>3}  {move.text:<{width}}  {words}")

    def _command(self, view: "View", typed: str) -> None:
        """Does what is typed, if it is a command."""
        word, _, rest = typed.partition(" ")
        match word:
            case "hint":
                self._hint(view)
            case "view":
                show("\n".join(self.watches[view.seat].teller.lines(view, everything=True)))
                self._show_moves(view, view.moves())
            case "save":
                self._save(rest)
            case "help":
                show(self.words["commands"])
            case "quit":
                raise Left
            case _:
                show(self.words["unknown"].format(typed))

    def _save(self, path: str) -> None:
        from engine.faults import InvalidInput

        former = self.file
        self.file = Path(path) if path else former
        if self.file is None:
            show(self.words["where"])
            return
        try:
            self.keep()
        except InvalidInput as error:
            self.file = former
            show(str(error))
        else:
            show(self.words["saved"].format(self.file))

    def _hint(self, view: "View") -> None:
        """What the search would play, from the view alone."""
        import bots
        from bots import Request

        self._show_plan(bots.make(HINT_BOT).recommend(view, Request(self.hint, language=self.language)))

    def _show_plan(self, answer: "Answer") -> None:
        for step in answer.plan:
            show(f"  {step.move:<24} {step.words}{FORCED[self.language] if step.forced else ''}")
        show(answer.explanation)

    def end(self) -> None:
        """The last views of people, the result in words, and the standings."""
        for watch in self.watches.values():
            view = self.state.view(watch.seat)
            show("\n".join(["", *watch.told(), *watch.teller.lines(view)]))
        returns = self.state.returns()
        show("")
        show(self._result(returns))
        self._show_standings(returns)

    def _result(self, returns: Sequence[float]) -> str:
        best = max(returns)
        if best == self.state.game.min_return:
            return self.words["nobody"]
        winners = [str(seat) for seat, points in enumerate(returns) if points == best]
        return self.words["won" if len(winners) == 1 else "shared"].format(", ".join(winners))

    def _show_standings(self, returns: Sequence[float]) -> None:
        from bots.words import rate

        game, teller = self.state.game, self.watches[self.at_screen].teller
        tally = game.tally(self.state.setup, self.state.data)
        ranked = next(iter(tally.values()), returns)
        for seat, mine in sorted(enumerate(ranked), key=lambda entry: -entry[1]):
            place = 1 + sum(other > mine for other in ranked)
            told = [f"{teller.field(name)} {numbers[seat]}" for name, numbers in tally.items()]
            told.append(rate(game, returns[seat]))
            show(self.words["score"].format(place, seat, self.who(seat), ", ".join(told)))


def _picked(typed: str, moves: "Sequence[Move]") -> "Move | None":
    """The move of a number in the list or of a canonical text."""
    if typed.isascii() and typed.isdigit() and len(typed) < 4:
        return moves[int(typed) - 1] if 0 < int(typed) <= len(moves) else None
    return next((move for move in moves if move.text == typed), None)

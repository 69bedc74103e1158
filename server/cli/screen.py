"""What people at the terminal see and type, in plain text."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

import bots
from bots import Answer, Budget, Request
from bots.words import rate
from engine.faults import InvalidInput
from engine.game import Move, View
from server.cli.table import Table
from server.cli.telling import Teller
from server.cli.terminal import show
from server.cli.wording import FORCED

HINT_BOT = "ismcts"
CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what was scrolled off it
ASK = "> "
WORDS = {
    "en": {
        "and": ", ",
        "ask": "Seat {}: pick a number or type a move (help: all commands).",
        "bot": "seat {}: {}",
        "commands": "A number or the text of a move plays it. hint: what the computer would play. view: all you know. "
        "undo: take back the last card or choice of an action, while it told you nothing new. "
        "save FILE: keep the game there. help: this. quit: leave.",
        "final": "undo: nothing can be taken back but steps of your action, as long as they told you nothing new",
        "held": "seat {} ({}) held: {}",
        "kept": "saved in {}; go on with: {}",
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
        "and": "、",
        "ask": "席{}:番号か手を入力してください(help:コマンド一覧)。",
        "bot": "席{}:{}",
        "commands": "番号か手の文字列で手を指します。hint:コンピューターの勧める手。view:知っていることのすべて。"
        "undo:行動の途中で、新しい情報を得ていない間、直前の選択を取り消す。"
        "save FILE:ゲームを保存。help:この説明。quit:やめる。",
        "final": "undo:取り消せるのは、新しい情報を得ていない間の、行動の途中の選択だけです",
        "held": "席{}({})の手札:{}",
        "kept": "{} に保存しました。続きは {}",
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


class Left(Exception):
    """The person leaves the table."""


class Screen:
    """The terminal at which the people of a table sit."""

    def __init__(self, table: Table, hint: Budget) -> None:
        self.table, self.hint = table, hint
        self.words = WORDS[table.language]
        people = table.chairs.people
        begins = len(people) == 1 or not table.played  # a game resumed may go on with another person at the screen
        self.seat = people[0] if begins else None  # whose view may be on the screen
        self.is_blank = True  # the table was not shown yet

    def open(self) -> None:
        """Says what is played and by whom."""
        setup = self.table.state.setup
        who = self.words["and"].join(self.words["bot"].format(seat, self._who(seat)) for seat in range(setup.seats))
        title = setup.game.titles.get(self.table.language, setup.game.name)
        show(self.words["start"].format(title=title, seats=setup.seats, who=who))

    def left(self) -> None:
        """Says how to go on with the game."""
        saves = self.table.saves
        show(self.words["kept"].format(saves.file, self.table.going_on()) if saves.file else self.words["lost"])

    def ask(self) -> None:
        """Lets the person to move play, or take back; raises `Left`."""
        seat, table = self.table.state.to_move, self.table
        self._pass(seat)
        view = table.state.view(seat)
        self._show_table(view)
        moves = view.moves()
        self._show_moves(view, moves)
        steps = len(table.steps)
        while len(table.steps) == steps:  # until something is taken back
            typed = _typed(ASK).strip()
            if move := _picked(typed, moves):
                table.play(move)
                return
            self._command(view, typed)

    def _pass(self, seat: int) -> None:
        """Before another person's view is shown, the former one goes and the screen changes hands."""
        if seat == self.seat:
            return
        if sys.stdout.isatty():
            click.echo(CLEAR, nl=False)
        _typed(self.words["pass"].format(seat) + " ")
        self.seat, self.is_blank = seat, True

    def _show_table(self, view: View) -> None:
        """What happened, and what the seat knows; in the middle of its action, what that has come to."""
        watch = self.table.watches[view.seat]
        if told := watch.told():
            show("\n".join([self.words["told"], *(f"  {line}" for line in told)]))
        in_the_middle = self.table.steps and not self.is_blank
        show("\n".join(["", *(watch.teller.now(view) if in_the_middle else watch.teller.lines(view))]))
        self.is_blank = False

    def _show_moves(self, view: View, moves: Sequence[Move]) -> None:
        show(self.words["ask"].format(view.seat))
        width = max(len(move.text) for move in moves)
        for i, move in enumerate(moves, start=1):
            words = view.game.move_words(view.setup, view.data, move.id, self.table.language)
            show(f"{i:>3}  {move.text:<{width}}  {words}")

    # ---- commands

    def _command(self, view: View, typed: str) -> None:
        """Does what is typed, if it is a command."""
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "hint":
                self._show_hint(view)
            case "view":
                show("\n".join(self._teller(view.seat).lines(view, everything=True)))
                self._show_moves(view, view.moves())
            case "undo" | "back":
                self._take_back()
            case "save":
                self._save(rest.strip())
            case "help":
                show(self.words["commands"])
            case "quit":
                raise Left
            case _:
                show(self.words["unknown"].format(typed))

    def _take_back(self) -> None:
        if self.table.take_back():
            self.table.keep()
        else:
            show(self.words["final"])

    def _save(self, path: str) -> None:
        file = Path(path) if path else self.table.saves.file
        if file is None:
            show(self.words["where"])
            return
        try:
            self.table.keep_in(file)
        except InvalidInput as error:
            show(str(error))
        else:
            show(self.words["saved"].format(file))

    def _show_hint(self, view: View) -> None:
        """What the search would play, from the view alone."""
        self._show_plan(bots.make(HINT_BOT).recommend(view, Request(self.hint, language=self.table.language)))

    def _show_plan(self, answer: Answer) -> None:
        for step in answer.plan:
            show(f"  {step.move:<24} {step.words}{FORCED[self.table.language] if step.forced else ''}")
        show(answer.explanation)

    # ---- the end

    def end(self) -> None:
        """The last views of people, the cards that were hidden, the result in words, and the standings."""
        state = self.table.state
        for watch in self.table.watches.values():
            view = state.view(watch.seat)
            show("\n".join(["", *watch.told(), *watch.teller.lines(view)]))
        returns = state.returns()
        show("")
        self._show_hands()
        show(self._result(returns))
        self._show_standings(returns)

    def _show_hands(self) -> None:
        """What others held, which by now is no secret: every seat's own view tells it."""
        state, people = self.table.state, self.table.chairs.people
        for seat in range(state.setup.seats):
            hand = next(p.get("hand") for p in state.view(seat).to_json()["players"] if p["seat"] == seat)
            if hand and people != (seat,):
                told = self._teller(people[0]).phrase("hand", hand)
                show(self.words["held"].format(seat, self._who(seat), told))

    def _result(self, returns: Sequence[float]) -> str:
        best = max(returns)
        if best == self.table.state.game.min_return:
            return self.words["nobody"]
        winners = [str(seat) for seat, points in enumerate(returns) if points == best]
        return self.words["won" if len(winners) == 1 else "shared"].format(self.words["and"].join(winners))

    def _show_standings(self, returns: Sequence[float]) -> None:
        state, teller = self.table.state, self._teller(self.table.chairs.people[0])
        tally = state.game.tally(state.setup, state.data)
        ranked = next(iter(tally.values()), returns)
        for seat, mine in sorted(enumerate(ranked), key=lambda entry: -entry[1]):
            place = 1 + sum(other > mine for other in ranked)
            told = [f"{teller.field(name)} {numbers[seat]}" for name, numbers in tally.items()]
            told.append(rate(state.game, returns[seat]))
            show(self.words["score"].format(place, seat, self._who(seat), ", ".join(told)))

    def _who(self, seat: int) -> str:
        opponents = self.table.chairs.opponents
        return opponents[seat].text if seat in opponents else self.words["you"]

    def _teller(self, seat: int) -> Teller:
        return self.table.watches[seat].teller


def _typed(prompt: str) -> str:
    """A line from the person; raises `Left` at the end of input."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()  # `input` would miss a Ctrl-C that comes right after the prompt
    if not line:
        raise Left
    return line


def _picked(typed: str, moves: Sequence[Move]) -> Move | None:
    """The move of a number in the list or of a canonical text, in any case."""
    if typed.isascii() and typed.isdigit() and len(typed) < 4:
        return moves[int(typed) - 1] if 0 < int(typed) <= len(moves) else None
    text = " ".join(typed.split())
    exact = (move for move in moves if move.text == text)
    return next(exact, next((move for move in moves if move.text.lower() == text.lower()), None))

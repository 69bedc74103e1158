"""What a person at the terminal is told: a view in words, and what changed in it.

Everything is made from views of one seat, so nothing can be told that the seat does not know.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from engine.game import LANGUAGES, State, View

Words = Mapping[str, tuple[str, str]]  # English, Japanese

FIELDS: Words = {  # names of fields in the JSON forms
    "action": ("action", "行動"), "asker": ("asked for by", "行動中"), "card": ("card", "カード"),
    "cards": ("cards", "カード"), "committed": ("used", "使用"), "committed_count": ("cards chosen", "選んだ枚数"),
    "contested": ("contested resources", "争奪資源"), "count": ("cards", "枚数"), "cycle": ("reshuffles", "切り直し"),
    "deck": ("deck", "山札"), "deck_count": ("deck", "山札"), "discard": ("discard pile", "捨て札"),
    "discard_count": ("discard pile", "捨て札"), "dug": ("dug so far", "発掘した枚数"), "fight": ("fight", "戦力"),
    "food": ("food", "食料"), "forces": ("forces", "部隊"), "game": ("game", "ゲーム"), "hand": ("hand", "手札"),
    "hand_count": ("hand", "手札"), "in_front": ("in front", "手前"), "initiator": ("initiator", "スタートプレイヤー"),
    "junkyard": ("junkyard", "廃品置き場"), "known": ("known inside", "中身の既知分"),
    "known_bottom": ("at the bottom", "一番下"), "known_since": ("known since", "判明時点"),
    "ledger": ("at the junkyard", "廃品置き場の出入り"), "left_face_down": ("left face down", "伏せて捨てた枚数"),
    "looked_at": ("looked at", "見たカード"), "market": ("market", "傭兵"), "modules": ("modules", "モジュール"),
    "moves": ("played", "これまでの手"), "need": ("still to pay", "残りの支払い"), "options": ("options", "設定"),
    "owned": ("tribe", "部族"), "owned_unknown": ("unknown cards", "不明なカード"), "paid": ("paid", "支払い"),
    "passes": ("passes", "パス数"), "pending": ("now", "現在"), "people": ("people", "人数"),
    "phase": ("phase", "フェイズ"), "players": ("players", "プレイヤー"), "public": ("open card", "公開カード"),
    "question": ("choose", "選択"), "reserve": ("reserve", "予備"), "responses": ("responses", "対応"),
    "round": ("round", "ラウンド"), "rules": ("house rules", "ハウスルール"), "seat": ("seat", "席"),
    "seats": ("seats", "席"), "seen_by": ("seen by", "見た席"), "seen_discard": ("seen in it", "うち既知"),
    "seen_hand": ("seen in hand", "既知の手札"), "shown": ("looked at", "見たカード"),
    "shown_count": ("looking at", "見ている枚数"), "shown_seen_by": ("known before by", "以前から知る席"),
    "skirmish": ("skirmish", "小競り合い"), "slot": ("slots over", "終えた席"), "spent": ("have acted", "行動済み"),
    "sure": ("seen at the last reshuffle", "前回の切り直しでの既知"), "target": ("target", "標的"),
    "bottom_seen_by": ("bottom seen by", "一番下を見た席"), "to_move": ("to move", "手番"), "top": ("top", "一番上"),
    "top_seen_by": ("top seen by", "一番上を見た席"),
    "trashed_this_cycle": ("thrown away unseen", "伏せて廃棄した枚数"), "used_actions": ("done", "済み"),
    "value": ("value", "値"), "way": ("way", "経路"), "wins": ("contested resource won", "獲得した争奪資源"),
    "won_unknown": ("won unseen", "不明な獲得"),
}  # fmt: skip
VALUES: Words = {  # words that fields hold, besides the names of cards
    "action": ("what to do", "行動の選択"), "bet": ("bet", "ベット"), "betting": ("betting", "ベット"),
    "call": ("call", "コール"), "commit": ("which cards", "カードの選択"), "dig": ("dig", "発掘"),
    "disarm": ("disarm", "解除"), "draw": ("draw", "引く"), "fold": ("fold", "フォールド"),
    "gathering": ("gathering", "資源収集"), "hire": ("hire", "雇用"), "hit": ("whom to hit", "標的の選択"),
    "hunt": ("hunt", "狩り"), "in": ("thrown in", "廃棄"), "keep": ("what to keep", "取るカードの選択"),
    "lost": ("lost to the junkyard", "流失"), "out": ("taken out", "発掘"), "over": ("over", "終了"),
    "pass": ("pass", "パス"), "pay": ("how to pay", "支払い方"), "raise": ("raise", "レイズ"),
    "react": ("whether to respond", "対応の選択"), "reaction": ("responses pending", "対応待ち"),
    "return": ("what to put back", "戻す順序"), "skirmish": ("skirmish", "小競り合い"),
    "slot": ("special units", "特殊ユニット"), "snipe": ("snipe", "狙撃"), "trash": ("throw away", "廃棄"),
    "jack": ("jack", "ジャック"), "queen": ("queen", "クイーン"), "king": ("king", "キング"),
    "jack_1": ("jack 1", "ジャック1"), "jack_2": ("jack 2", "ジャック2"), "queen_1": ("queen 1", "クイーン1"),
    "queen_2": ("queen 2", "クイーン2"), "king_1": ("king 1", "キング1"), "king_2": ("king 2", "キング2"),
}  # fmt: skip
SEATED = ("asker", "initiator", "seat", "seen_by", "target", "to_move", "top_seen_by")  # fields of seats
DETAILS = {  # what only the command `view` tells
    "bottom_seen_by", "cycle", "dug", "game", "known_since", "ledger", "left_face_down", "looked_at", "options",
    "owned", "seats", "seen_by", "shown_seen_by", "sure", "top_seen_by", "trashed_this_cycle", "wins",
    "won_unknown",
}  # fmt: skip
UNTOLD = {  # changes that go without saying
    "bottom_seen_by", "count", "cycle", "deck", "deck_count", "discard", "discard_count", "dug", "known",
    "known_bottom", "known_since", "left_face_down", "looked_at", "need", "passes", "question", "seat", "seen_by",
    "seen_discard", "shown_seen_by", "slot", "sure", "to_move", "top_seen_by", "trashed_this_cycle", "value",
    "won_unknown",
}  # fmt: skip
SEAT = ("seat {}", "席{}")
YOU = ("you (seat {})", "あなた(席{})")
YES_OR_NO = (("no", "yes"), ("いいえ", "はい"))
HIDDEN = "?"


class Change(NamedTuple):
    """One field that is not what it was; None where there was or is no such field."""

    path: tuple[str | int, ...]
    before: Any
    after: Any


def changes(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """Where two forms differ, down to numbers, words and lists of these; new entries of lists come whole."""
    old, new = _entries(before), _entries(after)
    if old is None or new is None:
        if before != after:
            yield Change(path, before, after)
        return
    for key in [*new, *(key for key in old if key not in new)]:
        if isinstance(after, list) and key not in old:
            yield Change((*path, key), None, new[key])
        else:
            yield from changes(old.get(key), new.get(key), (*path, key))


def _entries(form: Any) -> Mapping[str | int, Any] | None:
    """The fields of an object, or the objects of a list; None for what is told as a whole."""
    if isinstance(form, Mapping):
        return form
    if isinstance(form, list) and form and all(isinstance(entry, Mapping) for entry in form):
        return dict(enumerate(form))
    return {} if form is None else None


def _follows(key: str, player: Mapping[str, Any]) -> bool:
    """Whether a field says less than another one, which lists the same cards."""
    return (key.endswith("_count") and key.removesuffix("_count") in player) or (
        key.startswith("seen_") and key.removeprefix("seen_") in player
    )


def _lined(value: Any) -> Sequence[Any]:
    """What has lines of its own: the objects of a list, or else the value."""
    return value if isinstance(value, list) and value and isinstance(value[0], Mapping) else [value]


class Teller:
    """The words of one game in one language, as one seat is told them."""

    def __init__(self, view: View, language: str) -> None:
        self.game = view.game
        self.seat = view.seat
        self.at = LANGUAGES.index(language)

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """The names of the cards in the language, for games that list them."""
        from server.games import cards_of

        return {card["id"]: card[("name", "name_ja")[self.at]] for card in cards_of(self.game)}

    def seated(self, seat: int) -> str:
        """A seat, which may be the person's own."""
        return (YOU if seat == self.seat else SEAT)[self.at].format(seat)

    def lines(self, view: View, everything: bool = False) -> list[str]:
        """What the seat knows: what stands alone in a line, then one line each for what has parts, and for a seat."""
        form = {k: v for k, v in view.to_json().items() if k != "seat" and (everything or k not in DETAILS)}
        players, now = form.pop("players", []), form.pop("pending", None)
        parts = {k: v for k, v in form.items() if isinstance(v, Mapping | list)}
        alone = {k: v for k, v in form.items() if k not in parts}
        lines = [self.phrase("", alone, everything)]
        lines += self._named(parts, everything)
        for player in players:
            told = player if everything else {k: v for k, v in player.items() if not _follows(k, player)}
            rest = {k: v for k, v in told.items() if k != "seat"}
            lines.append(f"{self.seated(player['seat'])}: {self.phrase('', rest, everything)}")
        return lines + self._named({"pending": now}, everything)

    def _named(self, parts: Mapping[str, Any], everything: bool) -> list[str]:
        """A line for each part that says something; one for each entry of a list of objects."""
        each = [(key, entry) for key, value in parts.items() for entry in _lined(value)]
        told = [(key, self.phrase(key, entry, everything)) for key, entry in each]
        return [f"{self.field(key)}: {words}" for key, words in told if words]

    def now(self, view: View) -> list[str]:
        """The hand of the seat and the decision that is being made."""
        form = view.to_json()
        hand = {k: v for player in form["players"] if player["seat"] == self.seat for k, v in player.items()}
        return self._named({"hand": hand.get("hand", []), "pending": form.get("pending")}, everything=False)

    def field(self, key: str) -> str:
        """The name of a field, or of the card that it counts."""
        return FIELDS[key][self.at] if key in FIELDS else self.value(key)

    def value(self, word: str) -> str:
        """A card or another word that a field holds."""
        if word in self.cards:
            return self.cards[word]
        return VALUES[word][self.at] if word in VALUES else word.replace("_", " ")

    def phrase(self, key: str | int, value: Any, everything: bool = True) -> str:
        """A value in words, "" where there is nothing to say."""
        match value:
            case None:
                return ""
            case bool():
                return YES_OR_NO[self.at][value]
            case int() if key in SEATED:
                return self.seated(value)
            case str():
                return self.value(value)
            case Mapping():
                return self._object(value, everything)
            case list():
                return self._list(key, value, everything)
        return str(value)

    def _object(self, fields: Mapping[str, Any], everything: bool) -> str:
        """Names with what they hold."""
        told = {k: self.phrase(k, v, everything) for k, v in fields.items() if everything or k not in DETAILS}
        has_parts = any(isinstance(v, Mapping | list) for v in fields.values())
        colon = ":" if has_parts else ""
        words = [text if k == "seat" else f"{self.field(k)}{colon} {text}" for k, text in told.items() if text]
        return ("; " if has_parts else ", ").join(words)

    def _list(self, key: str | int, entries: Sequence[Any], everything: bool) -> str:
        """Entries in their order; those that are repeated, once with their number."""
        told = [self.phrase("seat" if key == "seats" else key, entry, everything) or HIDDEN for entry in entries]
        if entries and isinstance(entries[0], Mapping):
            return " | ".join(told)
        runs = [(text, len(list(run))) for text, run in groupby(told)]
        return ", ".join(text if n == 1 else f"{text} ×{n}" for text, n in runs)

    def sentence(self, subject: int, changed: Sequence[Change]) -> str:
        """What changed while it was a seat's decision (-1: nobody's), or "" if none of it needs saying."""
        by_seat: dict[int, list[str]] = {}
        for change in sorted(changed, key=lambda c: c.path[0] != "pending"):
            owner, path = subject, change.path
            if path[0] == "players" and len(path) > 1:
                owner, path = int(path[1]), path[2:]
            if words := self._change(owner, path, change):
                by_seat.setdefault(owner, []).append(words)
        told = {seat: ", ".join(words) for seat, words in by_seat.items()}
        named = [f"{self.seated(seat)}: {words}" if seat >= 0 else words for seat, words in told.items()]
        return "; ".join(named)

    def _change(self, owner: int, path: tuple[str | int, ...], change: Change) -> str:
        """One change in words; what is no longer there is not told."""
        if not path or not UNTOLD.isdisjoint(path) or (path[-1] == "hand_count" and owner == self.seat):
            return ""
        label = " ".join(self.field(key) for key in path if isinstance(key, str) and key != "pending")
        before, after = change.before, change.after
        if isinstance(after, Mapping):
            text = ", ".join(self.phrase(k, v) for k, v in after.items() if k not in DETAILS)
        elif isinstance(before or after, list):
            text = self._moved(str(path[-1]), before or [], after or [])
        elif before is None or not isinstance(after, int) or path[-1] in SEATED:
            text = self.phrase(path[-1], after)
        else:
            text = f"{before} → {after}"
        return f"{label} {text}" if text else ""

    def _moved(self, key: str, before: Sequence[Any], after: Sequence[Any]) -> str:
        """What a list gained; of the hand also what it lost."""
        old, new = Counter(before), Counter(after)
        gained, lost = (self._list(key, sorted((a - b).elements(), key=str), True) for a, b in ((new, old), (old, new)))
        if key != "hand":
            return gained
        return " ".join(f"{sign}{cards}" for sign, cards in (("+", gained), ("-", lost)) if cards)


class Watch:
    """What one seat sees happen, sentence by sentence, from one position on.

    Reactions of others are told when they are over and as far as the view shows them, so that nobody learns who
    could have responded (docs/contract.md 8).
    """

    def __init__(self, state: State, seat: int, language: str) -> None:
        view = state.view(seat)
        self.seat = seat
        self.teller = Teller(view, language)
        self._form, self._to_move = view.to_json(), view.to_move
        self._subject = view.to_move
        self._open: dict[tuple[str | int, ...], Change] = {}
        self._lines: list[str] = []

    def see(self, state: State, mover: int, move: int) -> None:
        """Takes in a move just played, forced or not; nothing where it leaves the seat none the wiser."""
        verbs, rules = state.game.verbs, state.setup.rules_address
        if not int(verbs.seen(rules, state.address, self.seat, mover, move, 0)):
            return
        view = state.view(self.seat)
        form = view.to_json()
        if not self._open:
            self._subject = self._to_move
        for change in changes(self._form, form):
            self._note(change)
        self._form, self._to_move = form, view.to_move
        if not self.building:
            self._close()

    def told(self) -> list[str]:
        """What happened since this was last asked; the seat's own action once it is finished."""
        if self._subject != self.seat or not self.building:
            self._close()
        lines, self._lines = self._lines, []
        return lines

    @property
    def building(self) -> bool:
        """Whether an action is being put together, whose steps are told in one sentence."""
        return "action" in (self._form.get("pending") or {})

    def _note(self, change: Change) -> None:
        """Adds a change to those before it; what was pending is told as it was at last."""
        earlier = self._open.get(change.path)
        if change.path[0] == "pending" and not change.after:
            return
        before = earlier.before if earlier else change.before
        if change.path[0] == "pending":
            before = None
        self._open[change.path] = change._replace(before=before)

    def _close(self) -> None:
        changed = [change for change in self._open.values() if change.before != change.after]
        if sentence := self.teller.sentence(self._subject, changed):
            self._lines.append(sentence)
        self._open = {}

"""Moves as sentences a player would say, in English and Japanese, and cards as data for clients."""

from collections.abc import Sequence
from typing import Any

from engine.arctic_scavengers.asking import Ask, Say
from engine.arctic_scavengers.cards import NONE, Act, Card, Values
from engine.arctic_scavengers.moves import top_question
from engine.arctic_scavengers.state import MAX_KINDS

OPENINGS = {
    Say.DRAW: ("Draw", "山札から引く"),
    Say.DIG: ("Dig in the junkyard", "廃品置き場を発掘する"),
    Say.HUNT: ("Hunt", "狩りをする"),
    Say.TRASH: ("Throw cards on the junkyard", "手札を廃品置き場に捨てる"),
}
CARDS = {
    Ask.ACTION: ("Hire {}", "{}を雇う"),
    Ask.COMMIT: ("Add the {}", "{}を加える"),
    Ask.TRASH: ("Throw away the {}", "{}を捨てる"),
    Ask.PAY: ("Pay with the {}", "{}で支払う"),
    Ask.KEEP: ("Keep the {}", "{}を取る"),
    Ask.RETURN: ("Put the {} under the junkyard", "{}を廃品置き場の下に戻す"),
}
STOPS = {
    Ask.TRASH: ("Throw these cards away", "選んだカードを捨てる"),
    Ask.KEEP: ("Keep none of them", "どれも取らない"),
    Ask.REACT: ("Let it happen", "何もしない"),
}
DONE = {
    Act.DRAW: ("Draw with these cards (value {})", "これらのカードで引く(値{})"),
    Act.DIG: ("Dig with these cards (value {})", "これらのカードで発掘する(値{})"),
    Act.HUNT: ("Hunt with these cards (value {})", "これらのカードで狩る(値{})"),
}
ENDS = {
    Ask.ACTION: ("End the turn and keep the rest as reserve", "手番を終え、残りを予備にする"),
    Ask.SLOT: ("Do nothing more in the skirmish", "小競り合いでこれ以上何もしない"),
}
HITS = {
    "snipe": ("Snipe the {} with the {}", "{1}で{0}を狙撃する"),
    "disarm": ("Disarm the {} with the {}", "{1}で{0}を解除する"),
}
SPENT = ("{} that has acted", "行動済みの{}")
AIM = ("Aim at seat {}", "{}番席を狙う")
LANGUAGES = ("en", "ja")


def move_words(kinds: Sequence[Card], s: Any, move: int, language: str) -> str:
    """A legal move in a sentence a player would say; `language` is "en" or "ja"."""
    at = LANGUAGES.index(language)
    question = top_question(s)
    if move < MAX_KINDS or move >= Say.SPENT:
        return card_words(kinds, question, move, at)
    if move >= Say.AIM:
        return AIM[at].format(move - Say.AIM)
    if move == Say.END:
        return ENDS[question][at]
    if move != Say.STOP:
        return OPENINGS[Say(move)][at]
    return DONE[Act(int(s.act))][at].format(int(s.value)) if question == Ask.COMMIT else STOPS[question][at]


def card_words(kinds: Sequence[Card], question: Ask, move: int, at: int) -> str:
    """A move that names a card."""
    if question in CARDS:
        name = title(kinds[move], at)
        return CARDS[question][at].format(with_article(name) if question == Ask.ACTION and at == 0 else name)
    units = [card for card in kinds if card.hits]
    target = kinds[move] if move < MAX_KINDS else units[move - Say.SPENT]
    unit = next(card for card in units if card.hits == ("disarm" if target.type == "tool" else "snipe"))
    name = title(target, at) if move < MAX_KINDS else SPENT[at].format(title(target, at))
    return HITS[unit.hits][at].format(name, title(unit, at))


def title(card: Card, at: int) -> str:
    return (card.en, card.ja)[at]


def with_article(name: str) -> str:
    """The name with an article; groups (Thugs, Group Leaders) have none."""
    if name.endswith("s"):
        return name
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"


def numbers(values: Values, least: int) -> dict[str, int]:
    """The values of at least `least`, by act."""
    return {act.name.lower(): n for act, n in zip(Act, values.row(), strict=False) if n >= least}


def card_facts(module: str, card: Card) -> dict[str, Any]:
    """One card as data: own values under `base`, improvements of others under `mod`, price under `cost`."""
    facts: dict[str, Any] = {
        "id": card.id,
        "name": card.en,
        "name_ja": card.ja,
        "name_ja_is_ours": card.ja_is_ours,
        "module": module,
        "type": card.type,
        "copies": card.copies,
        "people": card.people,
        "base": numbers(card.own, NONE + 1),
        "mod": numbers(card.adds, 1),
    }
    if card.med:
        facts["med"] = card.med
    if card.price is not None:
        price = card.price
        facts["cost"] = {"any_mix": price.mix} if price.mix else {"food": price.food, "med": price.med}
    if card.hits:
        facts["hits"] = card.hits
    return facts

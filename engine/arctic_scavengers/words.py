"""Moves as sentences a player would say, in English and Japanese, and cards as data for clients."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.arctic_scavengers.asking import Ask, Say
from engine.arctic_scavengers.cards import NONE, Act, Card, Values
from engine.arctic_scavengers.moves import top_question
from engine.arctic_scavengers.state import LAST_QUIET_ROUND, MAX_KINDS
from engine.record import Array

OPENINGS = {
    Say.DRAW: ("Draw", "山札から引く"),
    Say.DIG: ("Dig in the junkyard", "廃品置き場を発掘する"),
    Say.HUNT: ("Hunt", "狩りをする"),
    Say.TRASH: ("Throw cards on the junkyard", "手札を廃品置き場に捨てる"),
}
CARDS: Mapping[int, tuple[str, str]] = {
    Ask.ACTION: ("Hire {}", "{}を雇う"),
    Ask.COMMIT: ("Add the {}", "{}を加える"),
    Ask.TRASH: ("Throw away the {}", "{}を捨てる"),
    Ask.PAY: ("Pay with the {}", "{}で支払う"),
    Ask.KEEP: ("Keep the {}", "{}を取る"),
    Ask.RETURN: ("Put the {} under the junkyard", "{}を廃品置き場の下に戻す"),
}
STOPS: Mapping[int, tuple[str, str]] = {
    Ask.TRASH: ("Throw these cards away", "選んだカードを捨てる"),
    Ask.KEEP: ("Keep none of them", "どれも取らない"),
    Ask.REACT: ("Let it happen", "何もしない"),
}
DONE = {
    Act.DRAW: ("Draw with these cards (value {})", "これらのカードで引く(値{})"),
    Act.DIG: ("Dig with these cards (value {})", "これらのカードで発掘する(値{})"),
    Act.HUNT: ("Hunt with these cards (value {})", "これらのカードで狩る(値{})"),
}
ENDS: Mapping[int, tuple[str, str]] = {
    Ask.ACTION: ("End the turn and keep the rest as reserve", "手番を終え、残りを予備にする"),
    Ask.SLOT: ("Do nothing more in the skirmish", "小競り合いでこれ以上何もしない"),
}
QUIET_END = ("End the turn", "手番を終える")  # in rounds without a skirmish
HITS = {
    "snipe": ("Snipe the {} with the {}", "{1}で{0}を狙撃する"),
    "disarm": ("Disarm the {} with the {}", "{1}で{0}を解除する"),
}
SPENT = ("{} that has acted", "行動済みの{}")
AIM = ("Aim at seat {}", "席{}を狙う")
LANGUAGES = ("en", "ja")
SWITCHES = {
    "used_cards_to_discard": {
        "en": "Cards used in gathering are discarded after their action, or lie in front of their owner until the next "
        "drawing phase, out of reach of reshuffles.",
        "ja": "資源収集で使ったカードは、行動の直後に捨てるか、次のドローフェイズまで手前に残す(切り直しに入らない)。",
    },
    "special_use_forfeits_fight": {
        "en": "A unit that snipes or disarms in the skirmish adds no fight and holds no tool there; "
        "its people still count.",
        "ja": "小競り合いで狙撃・解除を行ったユニットは戦力を出さず道具も持てない(人数には数える)。",
    },
    "reserve_may_respond": {
        "en": "Players whose turn is over may still snipe and disarm from their reserve while others gather.",
        "ja": "手番を終えたプレイヤーも、他のプレイヤーの資源収集中に予備から狙撃・解除を行える。",
    },
    "failed_action_is_refunded": {
        "en": "An action that loses its last able member to a hit gives the other cards back to the hand and may be "
        "tried again this round; if false, they are discarded and the action counts as used.",
        "ja": "妨害で実行できる者がいなくなった行動は、残りのカードが手札に戻り、同じラウンドにやり直せる。"
        "falseならカードは捨て札になり、行動は使用済みになる。",
    },
    "draw_reshuffle_includes_played": {
        "en": "When a draw has to reshuffle, the cards used for that very draw are shuffled in too.",
        "ja": "ドロー中に捨て札を切り直すとき、そのドローに使ったカードも一緒に切り直す。",
    },
    "special_actions_once_per_round": {
        "en": "While others gather, each player may snipe at most once and disarm at most once a round.",
        "ja": "他のプレイヤーの資源収集中に行える狙撃と解除は、各プレイヤー1ラウンドにそれぞれ1回まで。",
    },
    "trash_public": {
        "en": "Cards thrown on the junkyard are shown to all; if false, others learn only how many there were.",
        "ja": "廃品置き場に捨てるカードを全員に公開する。falseなら他のプレイヤーには枚数だけが分かる。",
    },
    "dig_return_order": {
        "en": "Cards not kept from a dig go under the junkyard in the order drawn, or in an order the digger chooses.",
        "ja": "発掘で取らなかったカードを廃品置き場の下に戻す順序は、引いた順か、発掘した人が選ぶ順。",
    },
    "peek": {
        "en": "The initiator's look at the top contested card happens by itself and is no decision.",
        "ja": "スタートプレイヤーは争奪資源の一番上を自動的に見る(見ないことは選べない)。",
    },
    "two_player_peek": {
        "en": "With two players, only the initiator's look at the contested card is dropped, or every look at a pile; "
        "the base game has no other looks, so both are the same there.",
        "ja": "2人ゲームでなくすのは、スタートプレイヤーが争奪資源を見る手順だけか、山を見る効果のすべてか"
        "(基本ゲームではどちらも同じ)。",
    },
    "final_tie": {
        "en": "Players who tie for the most people at the end share the win.",
        "ja": "終了時に人数が最多で並んだプレイヤーは勝利を分け合う。",
    },
    "spare_tools": {
        "en": "More tools than members to hold them may join an action, as spares in case one is disarmed.",
        "ja": "解除に備えて、持ち手の人数より多くの道具を行動に加えてよい。",
    },
    "offer_zero_actions": {
        "en": "Actions that are worth 0 are offered as moves too.",
        "ja": "値が0になる行動も選択肢として示す。",
    },
}


def move_words(kinds: Sequence[Card], data: Array, move: int, language: str) -> str:
    """A legal move in a sentence a player would say; `language` is "en" or "ja"."""
    at = LANGUAGES.index(language)
    question = top_question(data)
    if move < MAX_KINDS or move >= Say.SPENT:
        return card_words(kinds, question, move, at)
    if move >= Say.AIM:
        return AIM[at].format(move - Say.AIM)
    if move == Say.END:
        return (QUIET_END if data["round_no"][0] <= LAST_QUIET_ROUND else ENDS[question])[at]
    if move != Say.STOP:
        return OPENINGS[Say(move)][at]
    if question != Ask.COMMIT:
        return STOPS[question][at]
    return DONE[Act(int(data["act"][0]))][at].format(int(data["value"][0]))


def card_words(kinds: Sequence[Card], question: int, move: int, at: int) -> str:
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

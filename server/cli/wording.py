"""The words that views and what happens are told in, in English and Japanese."""

from collections.abc import Mapping

Words = Mapping[str, tuple[str, str]]  # English, Japanese

FIELDS: Words = {  # names of fields in the JSON forms
    "action": ("action", "行動"), "asker": ("asked for by", "行動中"), "card": ("card", "カード"),
    "cards": ("cards", "カード"), "committed": ("used", "使用"), "committed_count": ("cards chosen", "選んだ枚数"),
    "contested": ("contested resources", "争奪資源"), "count": ("cards", "枚数"), "cycle": ("reshuffles", "切り直し"),
    "deck": ("deck", "山札"), "deck_count": ("deck", "山札"), "discard": ("discard pile", "捨て札"),
    "discard_count": ("discard pile", "捨て札"), "dug": ("dug so far", "発掘した枚数"), "fight": ("fight", "戦力"),
    "food": ("food", "食料"), "forces": ("forces", "部隊"), "game": ("game", "ゲーム"), "hand": ("hand", "手札"),
    "hand_count": ("hand", "手札"), "in_front": ("in front", "手前"), "initiator": ("initiator", "スタートプレイヤー"),
    "last_skirmish": ("last skirmish", "前回の小競り合い"),
    "junkyard": ("junkyard", "廃品置き場"), "known": ("known inside", "中身の既知分"),
    "known_bottom": ("at the bottom", "一番下"), "known_since": ("known since", "判明時点"),
    "ledger": ("at the junkyard", "廃品置き場の出入り"), "left_face_down": ("left face down", "伏せて捨てた枚数"),
    "looked_at": ("looked at", "見たカード"), "market": ("market", "傭兵"), "modules": ("modules", "モジュール"),
    "moves": ("played", "これまでの手"), "need": ("still to pay", "残りの支払い"), "options": ("options", "設定"),
    "owned": ("tribe", "部族"), "owned_unknown": ("unknown cards", "不明なカード"), "paid": ("paid", "支払い"),
    "passes": ("passes", "パス数"), "pending": ("now", "現在"), "people": ("people", "人数"),
    "phase": ("phase", "フェイズ"), "players": ("players", "プレイヤー"), "public": ("open card", "公開カード"),
    "question": ("choose", "選択"), "reserve": ("kept in hand", "残した手札"), "responses": ("responses", "対応"),
    "round": ("round", "ラウンド"), "rules": ("house rules", "ハウスルール"), "seat": ("seat", "席"),
    "seats": ("seats", "席"), "seen_by": ("seen by", "見た席"), "seen_discard": ("seen in it", "うち既知"),
    "seen_hand": ("seen in hand", "既知の手札"), "shown": ("looked at", "見たカード"),
    "shown_count": ("looking at", "見ている枚数"), "shown_seen_by": ("known before by", "以前から知る席"),
    "skirmish": ("skirmish", "小競り合い"), "slot": ("slots over", "終えた席"), "spent": ("have acted", "行動済み"),
    "sure": ("seen at the last reshuffle", "前回の切り直しでの既知"), "target": ("target", "標的"),
    "bottom_seen_by": ("bottom seen by", "一番下を見た席"), "to_move": ("to move", "手番"), "top": ("top", "一番上"),
    "top_seen_by": ("top seen by", "一番上を見た席"),
    "trashed_this_cycle": ("thrown away unseen", "伏せて廃棄した枚数"), "used_actions": ("done", "済み"),
    "value": ("value", "値"), "way": ("way", "経路"),
    "winner": ("won by", "勝者"), "wins": ("contested resource won", "獲得した争奪資源"),
    "won_unknown": ("won unseen", "不明な獲得"),
}  # fmt: skip
VALUES: Words = {  # words that fields hold, besides the names of cards
    "action": ("what to do", "行動の選択"), "bet": ("bet", "ベット"), "betting": ("betting", "ベット"),
    "call": ("call", "コール"), "commit": ("which cards", "カードの選択"), "dig": ("dig", "発掘"),
    "disarm": ("disarm", "解除"), "draw": ("draw", "引く"), "fold": ("fold", "フォールド"),
    "gathering": ("gathering", "資源収集"), "hire": ("hire", "雇用"), "hit": ("whom to hit", "標的の選択"),
    "hunt": ("hunt", "狩り"), "in": ("thrown in", "廃棄"), "keep": ("what to keep", "取るカードの選択"),
    "lost": ("deadlock, to the junkyard", "引き分け、廃品置き場へ"), "out": ("taken out", "発掘"),
    "over": ("over", "終了"), "pass": ("pass", "パス"), "pay": ("how to pay", "支払い方"), "raise": ("raise", "レイズ"),
    "react": ("whether to respond", "対応の選択"), "reaction": ("responses pending", "対応待ち"),
    "return": ("what to put back", "戻す順序"), "skirmish": ("skirmish", "小競り合い"),
    "slot": ("special units", "特殊ユニット"), "snipe": ("snipe", "狙撃"), "trash": ("throw away", "廃棄"),
    "jack": ("jack", "ジャック"), "queen": ("queen", "クイーン"), "king": ("king", "キング"),
    "jack_1": ("jack 1", "ジャック1"), "jack_2": ("jack 2", "ジャック2"), "queen_1": ("queen 1", "クイーン1"),
    "queen_2": ("queen 2", "クイーン2"), "king_1": ("king 1", "キング1"), "king_2": ("king 2", "キング2"),
}  # fmt: skip
SEATED = ("asker", "initiator", "seat", "seen_by", "target", "to_move", "top_seen_by", "winner")  # fields of seats
DETAILS = {  # what only the command `view` tells
    "bottom_seen_by", "cycle", "dug", "game", "known_since", "last_skirmish", "ledger", "left_face_down", "looked_at",
    "options", "owned", "seats", "seen_by", "shown_seen_by", "sure", "top_seen_by", "trashed_this_cycle", "wins",
    "won_unknown",
}  # fmt: skip
UNTOLD = {  # changes that go without saying
    "asker", "bottom_seen_by", "count", "cycle", "deck", "deck_count", "discard", "discard_count", "dug", "known",
    "known_bottom", "known_since", "left_face_down", "looked_at", "need", "passes", "question", "seat", "seen_by",
    "responses", "seen_discard", "seen_hand", "shown_seen_by", "slot", "sure", "to_move", "top_seen_by",
    "trashed_this_cycle", "value", "won_unknown",
}  # fmt: skip
SAID: Words = {  # what happens, where naming what changed would not say it
    "back": ("back in hand {}", "手札に戻る：{}"),
    "deadlock": ("deadlock: {}; contested resource{} to the junkyard", "引き分け：{}。争奪資源{}は廃品置き場へ"),
    "disarm": ("disarms the {card} of {whom} with the {unit}", "{unit}で{whom}の{card}を解除"),
    "draws": ("draws {}", "引いたカード：{}"),
    "failed": ("{} failed", "{}は失敗"),
    "food": ("food {}", "食料{}"),
    "food_lost": ("food {} ({} of it lost)", "食料{}(うち{}は余り)"),
    "force": ("skirmish, {}: {}; fight {}, people {}", "小競り合い、{}：{}。戦力{}、人数{}"),
    "has_acted": ("{} that has acted", "行動済みの{}"),
    "have_acted": ("{}, has acted: {}", "{}、行動済み：{}"),
    "lead": ("fight {} against {}", "戦力{}対{}"),
    "lead_of_two": ("fight {} against {}, a lead of 2 is needed", "戦力{}対{}、2以上の差が必要"),
    "new_hand": ("new hand {}", "新しい手札：{}"),
    "no_cards": ("no cards", "カードなし"),
    "nothing": ("{} came to 0", "{}の値は0"),
    "old_hand": ("old hand put away: {}", "前の手札を捨てる：{}"),
    "pays": ("pays {}", "支払い：{}"),
    "people": ("tied at fight {}, people {} against {}", "戦力{}で並び、人数{}対{}"),
    "snipe": ("snipes the {card} of {whom} with the {unit}", "{unit}で{whom}の{card}を狙撃"),
    "tied": ("tied at fight {} and people {}", "戦力{}、人数{}で並ぶ"),
    "won": ("skirmish won by {}: {}", "小競り合いの勝者は{}：{}"),
    "won_card": ("{}; contested resource {}", "{}。争奪資源は{}"),
}  # fmt: skip
FORCED = {"en": " (forced)", "ja": "(自動)"}
RESULTS = {"en": "results", "ja": "結果"}
SEAT = ("seat {}", "席{}")
YOU = ("you (seat {})", "あなた(席{})")
MARKS = ((", ", "; ", ": "), ("、", "；", "："))  # between entries, between parts, after a name
CHOOSE = ("choose {}", "{}")  # what is asked
YES_OR_NO = (("no", "yes"), ("いいえ", "はい"))
HIDDEN = "?"

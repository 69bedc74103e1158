"""The base game: 149 cards."""

from engine.arctic_scavengers.cards import Card, Module, Price, Values


def family(size: int) -> Card:
    """A tribe family: many mouths, who can hunt and fight only with help."""
    name, ja = f"Tribe Family ({size})", f"部族民の家族({size})"
    return Card(f"tribe_family_{size}", name, ja, "tribe", 2, people=size, own=Values(hunt=0, fight=0))


STARTING = (Card("refugee", "Refugee", "難民", "tribe", 20, people=1, own=Values(dig=0, hunt=0)),)

MARKET = (
    Card("scavenger", "Scavenger", "屑屋", "tribe", 20, people=1, own=Values(1, 1, 1, 1), price=Price(food=1)),
    Card("brawler", "Brawler", "狼藉者", "tribe", 10, people=1, own=Values(dig=1, fight=2), price=Price(food=2)),
    Card(
        "hunter", "Hunter", "猟師", "tribe", 8, people=1, own=Values(hunt=2, fight=1), price=Price(med=1),
        ja_is_ours=True,
    ),
    # a Saboteur sends a committed or revealed tool to its owner's discard pile
    Card(
        "saboteur", "Saboteur", "破壊工作員", "tribe", 8, people=1, own=Values(dig=1, fight=1),
        price=Price(food=1, med=1), hits="disarm",
    ),
    Card(
        "scout", "Scout", "斥候", "tribe", 8, people=1, own=Values(draw=2, fight=2), price=Price(food=2, med=1),
        ja_is_ours=True,
    ),
    Card(
        "thugs", "Thugs", "ごろつき", "tribe", 5, people=3, own=Values(dig=1, fight=3), price=Price(mix=6),
        ja_is_ours=True,
    ),
    # Group Leaders improve others by 2; a person's help, so the helped member may still hold a tool
    Card(
        "group_leaders", "Group Leaders", "グループリーダー", "tribe", 5, people=2, adds=Values(2, 2, 2, 2),
        price=Price(food=2, med=2), ja_is_ours=True,
    ),
    # a Sniper Team sends a committed or revealed member to its owner's discard pile
    Card(
        "sniper_team", "Sniper Team", "狙撃兵チーム", "tribe", 5, people=2, price=Price(food=2, med=2), hits="snipe"
    ),
)  # fmt: skip

CONTESTED = (
    Card("sled_team", "Sled Team", "そりチーム", "tribe", 2, people=2, own=Values(draw=2, fight=1), ja_is_ours=True),
    Card(
        "field_crew", "Field Crew", "野外作業班", "tribe", 2, people=4, own=Values(dig=2, hunt=2, fight=2),
        ja_is_ours=True,
    ),
    family(3),
    family(4),
    family(5),
    Card("wolf_pack", "Wolf Pack", "狼の群れ", "tool", 2, adds=Values(hunt=3, fight=2), ja_is_ours=True),
    Card("grenade", "Grenade", "手榴弾", "tool", 2, adds=Values(fight=3), ja_is_ours=True),
)  # fmt: skip

JUNKYARD = (
    Card("net", "Net", "網", "tool", 4, adds=Values(hunt=2, fight=1), ja_is_ours=True),
    Card("pickaxe", "Pickaxe", "つるはし", "tool", 4, adds=Values(dig=1, fight=2)),
    Card("multitool", "Multitool", "万能工具", "tool", 4, adds=Values(dig=1, hunt=1, fight=1), ja_is_ours=True),
    Card("shovel", "Shovel", "シャベル", "tool", 6, adds=Values(dig=2, fight=1)),
    Card("spear", "Spear", "槍", "tool", 6, adds=Values(hunt=1, fight=2)),
    Card("pills", "Pills", "錠剤", "medicine", 9, med=1, ja_is_ours=True),
    Card("medkit", "Medkit", "メドキット", "medicine", 6, med=2),
    Card("junk", "Junk", "ジャンク", "junk", 7),
)

MODULE = Module(
    "base",
    market=MARKET,
    junkyard=JUNKYARD,
    contested=CONTESTED,
    starting=STARTING,
    start={"refugee": 4, "scavenger": 3, "brawler": 1, "spear": 1, "shovel": 1},
)

"""Who takes part: a bot, its budget, its parameters, written `bot[@iterations][:name=value,...]`, or a level."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import bots
from bots.bot import Bot, Budget
from bots.levels import LEVELS
from engine.faults import Fault, InvalidInput, meant, shown
from engine.registry import PATH

USUAL = Budget(iterations=2000)  # of an entrant that states none
WRITTEN = re.compile(
    r"(?P<bot>[\w.-]+(:\w+)?)(@(?P<budget>\d{1,10})(?P<ms>ms)?)?(:(?P<parameters>\w+=[^,=\s]+(,\w+=[^,=\s]+)*))?"
)
EXPECTED = "bot[@iterations][:name=value,...], as in ismcts@2000:c=0.5, or a level"


@dataclass(frozen=True)
class Entrant:
    """A bot as it enters; two are the same when their texts are."""

    text: str  # as results name it
    bot: str  # by name, or package.module:Class
    budget: Budget  # of every decision
    parameters: Mapping[str, object]

    def make(self) -> Bot:
        """The bot itself; raises `InvalidInput` for one that does not exist and for parameters that do not fit."""
        known = [*LEVELS, *bots.names()]
        if self.bot not in known and not PATH.fullmatch(self.bot):
            expected = f"one of {', '.join(known)}, or package.module:Class{meant(self.bot, known)}"
            raise InvalidInput([Fault("bot", shown(self.bot), expected)])
        return bots.make(self.bot, **self.parameters)


def read_entrant(text: str, usual: Budget = USUAL) -> Entrant:
    """An entrant from its text; raises `InvalidInput` for a text of another form.

    A bot that states no budget has the usual one, a level its own.
    """
    found = WRITTEN.fullmatch(text.strip())
    if not found:
        raise InvalidInput([Fault("", shown(text), EXPECTED)])
    name, number, unit, written = found.group("bot", "budget", "ms", "parameters")
    stated = None if number is None else Budget(time_ms=int(number)) if unit else Budget(iterations=int(number))
    given = _parameters(written)
    canonical = name + (f"@{int(number)}{unit or ''}" if number else "")
    if level := LEVELS.get(name):
        if given:
            raise InvalidInput([Fault("parameters", shown(written), "none: the level names them")])
        return Entrant(canonical, level.bot, stated or level.budget, level.parameters)
    canonical += ":" + ",".join(f"{parameter}={value}" for parameter, value in given) if given else ""
    return Entrant(canonical, name, stated or usual, {parameter: _value(value) for parameter, value in given})


def _parameters(written: str | None) -> list[tuple[str, str]]:
    """Names and values, by name."""
    pairs = (part.partition("=") for part in sorted(written.split(","))) if written else ()
    given = [(name, value) for name, _, value in pairs]
    if len(dict(given)) < len(given):
        raise InvalidInput([Fault("parameters", shown(written), "each parameter once")])
    return given


def read_entrants(texts: Sequence[str]) -> list[Entrant]:
    """The entrants of a run; raises `InvalidInput` with every fault, those of the bots and parameters among them."""
    faults, entrants, kinds = list[Fault](), list[Entrant](), list[object]()
    for i, text in enumerate(texts):
        try:
            entrants.append(entrant := read_entrant(text))
            bot = entrant.make()
        except InvalidInput as error:
            faults += _within(f"entrants[{i}]", error)
            continue
        kind = type(bot), bot.params, entrant.budget if bot.searches else None
        if kind in kinds:
            faults.append(Fault(f"entrants[{i}]", shown(text), "an entrant that is not there yet"))
        kinds.append(kind)
    if len(texts) < 2:
        faults.append(Fault("entrants", str(len(texts)), "at least 2"))
    if faults:
        raise InvalidInput(faults)
    return entrants


def _within(path: str, error: InvalidInput) -> Iterator[Fault]:
    return (fault._replace(path=f"{path}.{fault.path}".rstrip(".")) for fault in error.faults)


def _value(text: str) -> object:
    """A parameter as written: a number where it reads as one, else a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text

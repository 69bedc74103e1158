"""Strengths by name: a bot, its parameters, and the budget it has unless another one is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.bot import Budget


@dataclass(frozen=True)
class Level:
    """One strength. Budgets are in iterations, so that a level is as strong on a slow machine as on a fast one."""

    bot: str
    description: str
    budget: Budget
    parameters: Mapping[str, object] = field(default_factory=dict)


LEVELS = {  # by rising strength
    "beginner": Level("greedy", "Plays by rules of thumb, without looking ahead.", Budget(iterations=1)),
    "casual": Level("ismcts", "Looks a little ahead; lets one get away with much.", Budget(iterations=100)),
    "strong": Level("ismcts", "Looks well ahead; for those who know the game.", Budget(iterations=3000)),
    "expert": Level("ismcts", "Thinks for as long as anyone would wait.", Budget(iterations=50_000)),
}

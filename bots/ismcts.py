"""The bot that searches information sets: ISMCTS over one or several trees, merged at the root."""

from dataclasses import dataclass

from bots.bot import Request
from bots.one_tree import OneTree
from bots.params import word
from bots.search import Searcher, SearchParams
from engine.game import View


@dataclass(frozen=True)
class IsmctsParams(SearchParams):
    """How to search."""

    observer: str = word(
        "mover", "root", description="Whose knowledge makes a node: the seat that moves there, or the one that asks."
    )


class Ismcts(Searcher):
    """Information set Monte Carlo tree search."""

    name = "ismcts"
    params_type = IsmctsParams
    params: IsmctsParams

    def plant(self, view: View, root_edges: int, request: Request) -> list[OneTree]:
        return self.trees(view, root_edges, request, self.params.observer, [None] * request.parallelism)

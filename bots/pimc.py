"""Bots that search as if nothing were hidden: worlds that might be, and the one that is."""

from dataclasses import dataclass

from bots.bot import Answer, Request, word_of
from bots.one_tree import OneTree
from bots.params import number
from bots.search import Searcher, SearchParams
from engine.faults import Fault, InvalidInput
from engine.game import State, View


@dataclass(frozen=True)
class PimcParams(SearchParams):
    """How to search."""

    worlds: int = number(10, 1, 256, description="Deals of the hidden cards, each searched in a tree of its own.")


class Pimc(Searcher):
    """Perfect information Monte Carlo (Long, Sturtevant, Buro, Furtak 2010)."""

    name = "pimc"
    params_type = PimcParams
    params: PimcParams

    def plant(self, view: View, root_edges: int, request: Request) -> list[OneTree]:
        n = self.params.worlds
        worlds = [view.world(int(word_of(request, n + i))) for i in range(n)]
        return self.trees(view, root_edges, request, "all", worlds)


class Revealed(View):
    """A view that has not let go of the true state."""

    def __init__(self, state: State) -> None:
        super().__init__(state.setup, state.view(state.to_move).data, state.to_move)
        self.state = state


class Clairvoyant(Searcher):
    """Searches the true state, which no player may see: the upper bound of play."""

    name = "clairvoyant"
    cheats = True

    def recommend(self, view: View | State, request: Request | None = None) -> Answer:
        if not isinstance(view, State):
            raise InvalidInput([Fault("bot", self.name, "a bot that sees no more than its seat")])
        return super().recommend(Revealed(view), request)

    def plant(self, view: View, root_edges: int, request: Request) -> list[OneTree]:
        assert isinstance(view, Revealed)
        return self.trees(view, root_edges, request, "all", [view.state] * request.parallelism)

"""What is measured: names, units and goals, and the rows that are printed."""

from typing import Any, NamedTuple

Row = dict[str, Any]
DIGITS = 4  # a machine that others share does not repeat itself to more


class Figure(NamedTuple):
    """What a figure is."""

    unit: str
    goal: float | None = None  # of the ratio where there is a peer, else of the value
    less: bool = False  # less is better
    beside: str = ""  # the figure it is measured and printed with


FIGURES = {
    "as_decisions_vs_openspiel": Figure("decisions/s", 4.0),
    "as_decisions_per_game": Figure("decisions", beside="as_decisions_vs_openspiel"),
    "as_games": Figure("games/s", beside="as_decisions_vs_openspiel"),
    "as_games_prior": Figure("games/s", beside="as_decisions_vs_openspiel"),
    "hearts_games": Figure("games/s", beside="as_decisions_vs_openspiel"),
    "as_ismcts_vs_openspiel": Figure("iterations/s", 1.5),
    "as_ismcts_depth": Figure("moves", beside="as_ismcts_vs_openspiel"),
    "as_ismcts_prior": Figure("iterations/s", beside="as_ismcts_vs_openspiel"),
    "as_ismcts_default": Figure("iterations/s", beside="as_ismcts_vs_openspiel"),
    "as_ismcts_round_8": Figure("iterations/s", beside="as_ismcts_vs_openspiel"),
    "as_ismcts_round_8_depth": Figure("moves", beside="as_ismcts_vs_openspiel"),
    "as_determinize_vs_openspiel": Figure("worlds/s", 5.0),
    "as_clone_vs_openspiel": Figure("ns", 8.0, less=True),
    "as_state_bytes": Figure("bytes", less=True, beside="as_clone_vs_openspiel"),
    "leduc_vs_openspiel": Figure("iterations/s", 5.0),
    "kuhn_vs_openspiel": Figure("iterations/s", 2.0),
    "recommend_over_budget_ms_p50": Figure("ms", 3, less=True),
    "recommend_over_budget_ms_p99": Figure("ms", 10, less=True, beside="recommend_over_budget_ms_p50"),
    "recommend_budget_used": Figure("%", beside="recommend_over_budget_ms_p50"),
    "start_warm_s": Figure("s", 2, less=True),
    "start_cold_s": Figure("s", 60, less=True),
    "compile_cold_s_arctic_scavengers": Figure("s", 45, less=True),
    "compile_cold_wall_s_arctic_scavengers": Figure("s", less=True, beside="compile_cold_s_arctic_scavengers"),
    "cancel_ms": Figure("ms", 20, less=True),
    "cancel_ms_p50": Figure("ms", less=True, beside="cancel_ms"),
    "rss_mb_after_1000_requests": Figure("MiB", 400, less=True),
    "rss_growth_percent": Figure("%", 2, less=True, beside="rss_mb_after_1000_requests"),
    "threads_2_vs_1": Figure("times", 1.9),
    "cores_2_vs_1": Figure("times", beside="threads_2_vs_1"),
    "arena_overhead_ms_per_game": Figure("ms", 2, less=True),
    "arena_2_workers_speedup": Figure("times", 1.9),
    "ray_vs_embedded": Figure("iterations", 0.97),
    "ray_extra_latency_ms": Figure("ms", 3, less=True),
    "ray_cancel_ms": Figure("ms", beside="ray_extra_latency_ms", less=True),
    "ray_cancel_ms_p50": Figure("ms", beside="ray_extra_latency_ms", less=True),
    "ray_2_workers_vs_1": Figure("times", 1.85),
    "ray_kill_answers": Figure("%", 100),
    "ray_kill_degraded": Figure("%", beside="ray_kill_answers", less=True),
    "ray_kill_ms_p99": Figure("ms", beside="ray_kill_answers", less=True),
    "ray_node_loss": Figure("failed", 0, less=True),
    "ray_node_loss_answers": Figure("answers", beside="ray_node_loss"),
    "ray_node_loss_degraded": Figure("%", beside="ray_node_loss", less=True),
    "fingerprint_arctic_scavengers": Figure("fingerprint"),
    "fingerprint_kuhn_poker": Figure("fingerprint", beside="fingerprint_arctic_scavengers"),
    "fingerprint_leduc_poker": Figure("fingerprint", beside="fingerprint_arctic_scavengers"),
}


def row(name: str, value: float, samples: int, peer: float | None = None) -> Row:
    """One line of the result; a figure without a goal always holds."""
    figure = FIGURES[name]
    ratio = None
    if peer is not None:
        ratio = peer / value if figure.less else value / peer
    return {
        "figure": name,
        "value": rounded(value),
        "unit": figure.unit,
        "peer": rounded(peer),
        "ratio": rounded(ratio),
        "goal": figure.goal,
        "holds": holds(figure, value, ratio),
        "samples": samples,
    }


def holds(figure: Figure, value: float, ratio: float | None) -> bool:
    """Whether the goal is reached."""
    if figure.goal is None:
        return True
    if ratio is not None:
        return ratio >= figure.goal
    return value <= figure.goal if figure.less else value >= figure.goal


def rounded(value: float | None) -> float | None:
    """The number to as many digits as it deserves."""
    return None if value is None else float(f"{value:.{DIGITS}g}")

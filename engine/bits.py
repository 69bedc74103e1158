"""Sets of small numbers as 64-bit masks."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from engine.jit import rule

ONE = np.uint64(1)


def lowest(mask: Any) -> int:
    """The smallest member of a non-empty set."""
    m = int(mask)
    return (m & -m).bit_length() - 1


def count(mask: Any) -> int:
    """How many members a set has."""
    return int(mask).bit_count()


def highest(mask: Any) -> int:
    """The largest member of a non-empty set."""
    return int(mask).bit_length() - 1


@type_callable(highest)
@type_callable(lowest)
@type_callable(count)
def _typed(context: Any) -> Any:
    return lambda mask: types.int64


@lower_builtin(lowest, types.uint64)
def _lowest(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@lower_builtin(highest, types.uint64)
def _highest(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
    return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)


@lower_builtin(count, types.uint64)
def _count(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@rule
def only(k: int) -> Any:
    """The set whose one member is `k`."""
    return ONE << np.uint64(k)


@rule
def has(mask: Any, k: int) -> bool:
    """True when `k` is a member."""
    return bool((mask >> np.uint64(k)) & ONE)


@rule
def from_on(k: int) -> Any:
    """The set of all numbers from `k` to 63."""
    return ~np.uint64(0) << np.uint64(k)


@rule
def rest(mask: Any) -> Any:
    """The set without its smallest member."""
    return mask & (mask - ONE)

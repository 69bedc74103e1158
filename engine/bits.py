"""Sets of small numbers as 64-bit masks."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from engine.jit import PLAIN, rule

ONE = np.uint64(1)

if PLAIN:

    def lowest(mask: Any) -> int:
        """The smallest member of a non-empty set."""
        m = int(mask)
        return (m & -m).bit_length() - 1

    def count(mask: Any) -> int:
        """How many members a set has."""
        return int(mask).bit_count()

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(typing_context: Any, mask: Any) -> Any:
        """The smallest member of a non-empty set."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def count(typing_context: Any, mask: Any) -> Any:
        """How many members a set has."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate


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

"""Calls a game's verbs by address, so that the search is compiled once for all games.

Numba's own first-class functions cost about 40 us each whenever Python enters the search: as much as a
tenth of a bite. An address is a number, and so is that of an array; the signatures make the call safe.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

from engine import verbs
from engine.jit import PLAIN
from engine.record import Array
from engine.verbs import MAX_MOVES, MAX_SEATS, Verbs

SIGNATURES = Verbs(
    verbs.SEAT, verbs.LEGAL, verbs.APPLY, verbs.RETURNS, verbs.OBSERVE, verbs.DETERMINIZE,
    verbs.PROGRESS, verbs.HEURISTIC, verbs.PRIOR, verbs.SEEN, verbs.PLAYOUT, verbs.GREEDY,
)  # fmt: skip
LENGTHS = {types.int32: MAX_MOVES, types.float32: MAX_SEATS}  # of the arrays the search hands out


@cache
def addresses(functions: Verbs) -> Verbs:
    """The same verbs as the search takes them: compiled, the address of each; in plain Python themselves."""
    if PLAIN:
        return functions
    return Verbs(*(_address(f, signature) for f, signature in zip(functions, SIGNATURES, strict=True)))


def _address(function: Any, signature: Any) -> Any:
    compiled = function.get_compile_result(signature)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


def caller(signature: Any) -> Callable[..., Any]:
    """A function (verb, arguments...) that calls a verb of this signature; arrays are given by address."""
    return _plain_caller(signature) if PLAIN else _compiled_caller(signature)


def _plain_caller(signature: Any) -> Callable[..., Any]:
    def array_at(kind: Any, address: int) -> Array:
        length, dtype = LENGTHS[kind.dtype], np.dtype(kind.dtype.name)
        memory = (ctypes.c_char * (length * dtype.itemsize)).from_address(int(address))
        return np.frombuffer(memory, dtype)

    def call(verb: Callable[..., Any], *given: Any) -> Any:
        kinds = zip(signature.args, given, strict=True)
        return verb(*(array_at(kind, g) if isinstance(kind, types.Array) else g for kind, g in kinds))

    return call


def _compiled_caller(signature: Any) -> Callable[..., Any]:
    def array_at(context: Any, builder: Any, kind: Any, address: Any) -> Any:
        array, size = arrayobj.make_array(kind)(context, builder), kind.dtype.bitwidth // 8
        arrayobj.populate_array(
            array,
            data=builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer()),
            shape=[context.get_constant(types.intp, LENGTHS[kind.dtype])],
            strides=[context.get_constant(types.intp, size)],
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
        )
        return array._getvalue()

    @intrinsic
    def call(typing_context: Any, address: Any, *arguments: Any) -> Any:
        def generate(context: Any, builder: Any, call_signature: Any, values: Any) -> Any:
            given = []
            for i, (kind, wanted) in enumerate(zip(arguments, signature.args, strict=True)):
                value = builder.extract_value(values[1], i)
                if isinstance(wanted, types.Array):
                    given.append(array_at(context, builder, wanted, value))
                else:
                    given.append(context.cast(builder, value, kind, wanted))
            takes = [context.get_value_type(a) for a in signature.args]
            function = ir.FunctionType(context.get_value_type(signature.return_type), takes)
            return builder.call(builder.inttoptr(values[0], function.as_pointer()), given)

        return signature.return_type(types.int64, types.StarArgTuple(arguments)), generate

    made: Callable[..., Any] = call
    return made

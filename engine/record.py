"""Plain classes with annotated fields become packed records, and records are reached by address.

An address (int64) gives every game's functions one signature, so that one compiled search serves all of
them; inside, the address is cast to the game's own record. Both modes work: compiled, and plain Python.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol, get_args, get_type_hints

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engine.jit import PLAIN

Array = np.ndarray[Any, np.dtype[Any]]

I8 = Annotated[int, np.int8]
I16 = Annotated[int, np.int16]
U8 = Annotated[int, np.uint8]
U64 = Annotated[Any, np.uint64]


class Row(Protocol):
    """A run of small integers of fixed length inside a record."""

    def __getitem__(self, i: int) -> int: ...
    def __setitem__(self, i: int, value: int) -> None: ...
    def __len__(self) -> int: ...


class Grid(Protocol):
    """A table of small integers of fixed shape inside a record."""

    def __getitem__(self, at: tuple[int, int]) -> int: ...
    def __setitem__(self, at: tuple[int, int], value: int) -> None: ...


Rows = Sequence
wide: Callable[[Any], int] = np.int64  # type: ignore[assignment]  # compiled and plain code must agree on width


def dtype_of(cls: type) -> np.dtype[Any]:
    """The packed record whose fields are the annotations of `cls`, in order."""
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if hasattr(np.record, name):
            raise TypeError(f"{cls.__name__}.{name}: numpy records already have an attribute of that name")
        _, kind, *shape = get_args(hint)
        base = dtype_of(kind) if isinstance(kind, type) and not issubclass(kind, np.generic) else np.dtype(kind)
        fields.append((name, base, tuple(shape)) if shape else (name, base))
    return np.dtype((np.record, fields))


def zeros(dtype: np.dtype[Any]) -> Array:
    """One blank record, as an array of length 1 (which owns the memory behind its address)."""
    return np.ndarray(1, dtype, bytearray(dtype.itemsize))  # np.zeros takes ten times as long for records


def copied(array: Array) -> Array:
    """The same record elsewhere; numpy's own copy of a record goes field by field, at fifty times the cost."""
    return np.ndarray(1, array.dtype, bytearray(array.tobytes()))


def address_of(array: Array) -> int:
    """Where the first record of `array` lies; valid as long as the array lives."""
    memory: Any = array.base
    if type(memory) is bytearray and len(memory) == array.nbytes:  # as `zeros` makes them: four times as fast
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return int(array.ctypes.data)


def _plain_caster(dtype: np.dtype[Any]) -> Callable[[int], Any]:
    def at(address: int) -> Any:
        memory = (ctypes.c_char * dtype.itemsize).from_address(int(address))
        return np.frombuffer(memoryview(memory), dtype)[0]

    return at


def caster(dtype: np.dtype[Any]) -> Callable[[int], Any]:
    """A function from an address to the record of this type that lies there."""
    if PLAIN:
        return _plain_caster(dtype)
    record = numba.from_dtype(dtype)

    @intrinsic
    def at(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.int64), generate

    made: Callable[[int], Any] = at
    return made


if PLAIN:

    def copy_bytes(target: int, source: int, size: int) -> None:
        """Copies `size` bytes from one address to another."""
        ctypes.memmove(int(target), int(source), int(size))

else:

    @intrinsic
    def copy_bytes(typing_context: Any, target: Any, source: Any, size: Any) -> Any:
        """Copies `size` bytes from one address to another."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = cgutils.voidptr_t
            to, fro = (builder.inttoptr(a, pointer) for a in args[:2])
            cgutils.raw_memcpy(builder, to, fro, args[2], 1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), generate

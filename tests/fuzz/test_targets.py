"""Every target against noise, against inputs of its own form, and against valid inputs with something changed.

`EMPTYCHAIR_SOAK=1` tries many more, other ones each time.
"""

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutation import ODD
from tests.fuzz.targets import TARGETS
from tests.fuzz.wire import METHODS, wire

SOAK = os.environ.get("EMPTYCHAIR_SOAK") == "1"
EXAMPLES = 5_000 if SOAK else 40
SEEDS = 1 if SOAK else 12  # of so many, one is looked at
EVERY = pytest.mark.parametrize("name", TARGETS)
FORMS = [name for name in TARGETS if name not in METHODS]
TYPES = {
    FieldDescriptor.CPPTYPE_INT32: st.sampled_from([0, 1, 2, -1, 2**31 - 1, -(2**31)]),
    FieldDescriptor.CPPTYPE_INT64: st.sampled_from([0, 1, 20, -1, 2**63 - 1, -(2**63)]),
    FieldDescriptor.CPPTYPE_UINT64: st.sampled_from([0, 1, 2**64 - 1]),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
}

often = settings(
    max_examples=EXAMPLES,
    derandomize=not SOAK,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
pytestmark = pytest.mark.timeout(6 * 3600 if SOAK else 300)


@pytest.fixture(scope="module", autouse=True)
def one_wire() -> Iterator[None]:
    """The service of all these tests, closed after them."""
    yield
    wire().close()
    wire.cache_clear()


words = st.text(max_size=20) | st.sampled_from([odd for odd in ODD if isinstance(odd, str) and odd.isascii()])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(words, inner, max_size=5), max_leaves=20
)
texts = st.binary() | st.text().map(str.encode)
json_lines = st.lists(values.map(json.dumps), max_size=4).map("\n".join).map(str.encode)


def messages(kind: type[Message]) -> st.SearchStrategy[Any]:
    """Any message of this type, and of the types inside it."""
    if kind is Struct:
        return st.dictionaries(words, values, max_size=4).map(in_struct)
    fields = {field.name: contents(field) for field in kind.DESCRIPTOR.fields}
    return st.fixed_dictionaries({}, optional=fields).map(lambda given: kind(**one_of_each(kind.DESCRIPTOR, given)))


def in_struct(value: dict[str, Any]) -> Struct:
    """An object as a message; what the wire has no form for is left out."""
    made = Struct()
    for key, inner in value.items():
        try:
            made[key] = inner
        except (ValueError, OverflowError):
            del made[key]
    return made


def one_of_each(kind: Descriptor, given: dict[str, Any]) -> dict[str, Any]:
    """These fields, but of those that exclude each other the first alone."""
    for group in kind.oneofs:
        for field in [field.name for field in group.fields if field.name in given][1:]:
            del given[field]
    return given


def contents(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """What a field may hold."""
    if field.message_type and field.message_type.GetOptions().map_entry:
        key, value = (field.message_type.fields_by_name[part] for part in ("key", "value"))
        return st.dictionaries(single(key), single(value), max_size=3)
    return st.lists(single(field), max_size=3) if field.is_repeated else single(field)


def single(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_MESSAGE:
            kind = GetMessageClass(field.message_type)
            return st.deferred(lambda: messages(kind))
        case FieldDescriptor.CPPTYPE_STRING:
            return words if field.type == FieldDescriptor.TYPE_STRING else st.binary()
    return TYPES[field.cpp_type]


@EVERY
def test_seeds_are_taken(name: str) -> None:
    seeds = TARGETS[name].seeds()
    assert seeds
    assert [seed for seed in seeds[::SEEDS] if not TARGETS[name].check(seed)] == []


@EVERY
@often
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_seeds_with_something_changed(name: str, data: st.DataObject, random: Random) -> None:
    seed = data.draw(st.sampled_from(TARGETS[name].seeds()))
    TARGETS[name].check(TARGETS[name].mutate(seed, random))


@EVERY
@often
@given(noise=texts)
def test_noise(name: str, noise: bytes) -> None:
    TARGETS[name].check(noise)


@pytest.mark.parametrize("name", FORMS)
@often
@given(lines=json_lines)
def test_any_json(name: str, lines: bytes) -> None:
    TARGETS[name].check(lines)


@pytest.mark.parametrize("name", METHODS)
@often
@given(data=st.data())
def test_any_request(name: str, data: st.DataObject) -> None:
    request = data.draw(messages(GetMessageClass(METHODS[name].input_type)))
    TARGETS[name].check(request.SerializeToString())


@pytest.mark.parametrize("name", [name for name in FORMS if name != "sealed"])
def test_some_changes_are_taken_and_some_refused(name: str) -> None:
    """All the one or all the other would tell nothing; of what is sealed, nothing changed is ever taken."""
    target, seeds = TARGETS[name], TARGETS[name].seeds()
    assert {target.check(target.mutate(seeds[i % len(seeds)], Random(i))) for i in range(60)} == {True, False}

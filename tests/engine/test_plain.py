"""Texts of JSON and TOML: what is not plain is a fault with its path."""

from pathlib import Path

import pytest

from engine.faults import InvalidInput
from engine.plain import MAX_LEVELS, from_json, from_toml, read_file


def test_plain_values_are_read_as_they_are() -> None:
    value = {"a": [1, -2.5, "x", True, None, {"b": {}}], "c": 2**64 - 1}
    assert from_json('{"a": [1, -2.5, "x", true, null, {"b": {}}], "c": 18446744073709551615}') == value
    assert from_toml('a = [1, -2.5, "x", true]\nb.c = 1') == {"a": [1, -2.5, "x", True], "b": {"c": 1}}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{\n "a": 1,\n b', ["line 3 column 2"]),
        ("", ["line 1 column 1"]),
        ('{"a": 1, "b": [{"c": 1, "c": 2}], "a": {"a": NaN}}', ["a", "b[0].c"]),
        ('{"a": NaN, "b": [Infinity, 1, -Infinity], "c": 1e999}', ["a", "b[0]", "b[2]", "c"]),
        ('{"a": 18446744073709551616}', ["a"]),
        ('{"a": ' + "9" * 5000 + "}", [""]),
        ("[" * 100_000, [""]),
        ("[" * MAX_LEVELS + "[]" + "]" * MAX_LEVELS, ["[0]" * MAX_LEVELS]),
    ],
    ids=["no JSON", "nothing", "repeated", "not finite", "65 bits", "digits", "unbounded", "deep"],
)
def test_json_that_is_not_plain(text: str, paths: list[str]) -> None:
    with pytest.raises(InvalidInput) as error:
        from_json(text)
    assert [fault.path for fault in error.value.faults] == paths


def test_the_place_of_what_is_no_json_or_toml_is_told() -> None:
    for read, text, told in (
        (from_json, '{"a": ]', "line 1 column 7: not JSON (Expecting value)"),
        (from_toml, "a = 1\nb = ?", "line 2 column 5: not TOML (Invalid value)"),
        (from_toml, "a = ", "end of document: not TOML (Invalid value)"),
    ):
        with pytest.raises(InvalidInput) as error:
            read(text)
        assert str(error.value) == told
    with pytest.raises(InvalidInput) as error:
        from_json("{", "turns[3]")
    told = "turns[3]: not JSON (Expecting property name enclosed in double quotes, line 1 column 2)"
    assert str(error.value) == told


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin"
    latin.write_bytes(b"\xe9")
    for path, told in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "cannot be read: is a directory"),
        (latin, "no text in UTF-8"),
    ):
        with pytest.raises(InvalidInput) as error:
            read_file(path)
        assert str(error.value) == f"input: {told}"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a = 1\na = 2", "file"),
        ("a = [2024-01-01]", "file.a[0]"),
        ("a.b = 07:30:00", "file.a.b"),
        ("a = nan", "file.a"),
        ("a = 0x" + "F" * 5000, "file.a"),
        ("a = " + "[" * 3000, "file"),
        (".".join("a" * 3000) + " = 1", "file" + ".a" * MAX_LEVELS),
    ],
    ids=["repeated", "date", "time", "not finite", "digits", "unbounded", "deep"],
)
def test_toml_that_is_not_plain(text: str, path: str) -> None:
    with pytest.raises(InvalidInput) as error:
        from_toml(text, "file")
    assert [fault.path for fault in error.value.faults] == [path]

"""Record layouts: the fields of a position, their types, and who may see each of them.

A position is one NumPy record. Its fields are declared once, in a subclass of `Layout`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

from .modules import is_compiled

# Who may see a field.
PUBLIC = "public"  # everybody, spectators too
OWN = "own"  # the first index is a seat, and only that seat sees its row
HIDDEN = "hidden"  # nobody; the game's `fill_view` adds what a seat may know about it

# `state.actor` when it is not a seat. Seats are 0, 1, … inside and 1, 2, … outside.
CHANCE = 8
NOBODY = 9

STRUCT_CODES = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q"}


@dataclass(frozen=True)
class Field:
    """One field of a record: its number type, its shape, and who may see it."""

    kind: str
    shape: tuple[int, ...]
    seen: str


def public(*shape: int, kind: str = "u1") -> Any:
    """Declare a field that everybody may see."""
    return Field(kind, shape, PUBLIC)


def own(*shape: int, kind: str = "i1") -> Any:
    """Declare a field whose row for a seat only that seat may see."""
    return Field(kind, shape, OWN)


def hidden(*shape: int, kind: str = "i1") -> Any:
    """Declare a field that nobody may see."""
    return Field(kind, shape, HIDDEN)


class Layout:
    """The fields of a game's position, in declaration order.

    Subclass it with one class attribute per field; `dtype` is derived. Only declared fields exist,
    so nothing becomes visible by accident.
    """

    fields: dict[str, Field]
    dtype: np.dtype[Any]

    def __init_subclass__(cls) -> None:
        cls.fields = {name: each for name, each in vars(cls).items() if isinstance(each, Field)}
        columns = [(name, each.kind, each.shape) for name, each in cls.fields.items()]
        # Packed: padding bytes would make equal records differ in equality and hashing.
        cls.dtype = np.dtype((np.record, np.dtype(columns)))
        modules = compiled_modules if is_compiled(cls.__module__) else plain_modules
        known = modules.setdefault(cls.dtype, cls.__module__)
        if known != cls.__module__:  # a record's type says which game it belongs to
            raise TypeError(f"{cls.__module__} has the same fields as {known}: rename one")


# The rules module of each record type, as plain Python and compiled.
plain_modules: dict[np.dtype[Any], str] = {}
compiled_modules: dict[np.dtype[Any], str] = {}


class PlainRecord:
    """The fields of one record as Python numbers and nested tuples, unpacked when first read.

    Reading single numbers this way is several times faster than indexing the NumPy record.
    """

    def __init__(self, layout: Any, record: bytes) -> None:
        reader, self._fields = _reader(layout)
        self._values = reader.unpack(record)

    def __getattr__(self, name: str) -> Any:
        value = self._fields[name](self._values)
        setattr(self, name, value)
        return value


@functools.lru_cache(maxsize=16)
def plain_record(layout: Any, record: bytes) -> PlainRecord:
    """Unpack the bytes of a record; equal records, such as equal views, share the result."""
    return PlainRecord(layout, record)


@functools.cache
def _reader(layout: Any) -> tuple[Struct, dict[str, Callable[[tuple[int, ...]], Any]]]:
    """The struct that unpacks a record, and for each field how to pick it from the numbers."""
    codes, fields, start = "<", {}, 0
    for name, field in layout.fields.items():
        size = math.prod(field.shape)
        codes += f"{size}{STRUCT_CODES[field.kind]}"
        fields[name] = _getter(start, field.shape)
        start += size
    return Struct(codes), fields


def _getter(start: int, shape: tuple[int, ...]) -> Callable[[tuple[int, ...]], Any]:
    """A function that picks a field of a given shape from the numbers of a record."""
    if not shape:
        return itemgetter(start)
    if len(shape) == 1:
        return itemgetter(slice(start, start + shape[0]))
    size = math.prod(shape[1:])
    starts = range(start, start + size * shape[0], size)
    if len(shape) == 2 and len(starts) > 1:
        return itemgetter(*(slice(each, each + size) for each in starts))
    rows = [_getter(each, shape[1:]) for each in starts]
    return lambda values: tuple([row(values) for row in rows])

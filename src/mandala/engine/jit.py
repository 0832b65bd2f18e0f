"""The `@rule` decorator and its relatives: Python functions compiled by Numba.

This module imports Numba only when something is compiled, so that importing the package is quick.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from . import dispatch, numbers
from .cache import cache_folder, numba_cache_in
from .layout import compiled_modules
from .modules import is_compiled

Function = TypeVar("Function", bound=Callable[..., Any])

# The functions of `dispatch` that are not in the game's `rules`, and their modules.
_FILES = {"score_moves": "heuristic", "features": "features"}


def rule(function: Function) -> Function:
    """Mark a function as part of the rules: compiled if its module is loaded as a compiled one.

    Rules that return a value are inlined into their callers; rules that change the position are
    called, since inlining those too makes compiling slow.
    """
    if not is_compiled(function.__module__):
        return function
    returns_value = function.__annotations__["return"] != "None"
    return _compile(function, _nrt=False, forceinline=returns_value)


def rule_with_arrays(function: Function) -> Function:
    """Mark a rule that allocates arrays. Other rules must not allocate."""
    return njit(function) if is_compiled(function.__module__) else function


def njit(function: Function) -> Function:
    """Compile a function that never runs as plain Python, such as a loop over positions."""
    return _compile(function)


def njit_inline(function: Function) -> Function:
    """Compile and inline a function that neither allocates nor returns arrays.

    Numba then does not count references to its array arguments. Counting is an atomic instruction
    at the start and the end of each call, which can cost more than the function itself.
    """
    return _compile(function, _nrt=False, forceinline=True)


def _compile(function: Function, **options: bool) -> Function:
    numba, folder = _numba(), cache_folder()
    with numba_cache_in(folder):
        return numba.njit(  # type: ignore[no-any-return]
            cache=folder is not None, nogil=True, error_model="numpy", **options
        )(function)


@functools.cache
def _numba() -> ModuleType:
    """Import Numba and register compiled versions of `numbers` and `dispatch` with it."""
    import numba

    _register_numbers()
    _register_dispatch(numba)
    module: ModuleType = numba
    return module


def _register_numbers() -> None:
    from numba.core import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def population(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def trailing_zeros(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), generate

    overload(numbers.bit_count)(lambda bits: lambda bits: population(bits))
    overload(numbers.first_bit)(lambda bits: lambda bits: trailing_zeros(bits))

    step, mix_1, mix_2 = (
        np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
    )
    by_27, by_30, by_31, by_32 = (np.uint64(shift) for shift in (27, 30, 31, 32))

    def compiled_random_below(generator: Any, limit: Any) -> Any:
        bits = generator[0] + step
        generator[0] = bits
        bits = (bits ^ (bits >> by_30)) * mix_1
        bits = (bits ^ (bits >> by_27)) * mix_2
        bits = bits ^ (bits >> by_31)
        return np.int64(((bits >> by_32) * np.uint64(limit)) >> by_32)

    overload(numbers.random_below, strict=False)(lambda generator, limit: compiled_random_below)


def _register_dispatch(numba: ModuleType) -> None:
    from numba.extending import overload

    def rules_of(record: Any, name: str) -> Any:
        """The compiled function of the game that a record type belongs to."""
        for dtype, module in compiled_modules.items():
            if numba.from_dtype(dtype) == record:
                package = module.rpartition(".")[0]
                home = importlib.import_module(f"{package}.{_FILES.get(name, 'rules')}")
                return getattr(home, name)
        return None

    def dispatch_one(name: str) -> Callable[..., Any]:
        def choose(state: Any) -> Any:
            chosen = rules_of(state, name)
            return lambda state: chosen(state)

        return choose

    def dispatch_two(name: str) -> Callable[..., Any]:
        def choose(state: Any, other: Any) -> Any:
            chosen = rules_of(state, name)
            return lambda state, other: chosen(state, other)

        return choose

    def dispatch_three(name: str) -> Callable[..., Any]:
        def choose(state: Any, other: Any, third: Any) -> Any:
            chosen = rules_of(state, name)
            return lambda state, other, third: chosen(state, other, third)

        return choose

    def choose_score_moves(state: Any, seat: Any, rows: Any, weights: Any, values: Any) -> Any:
        chosen = rules_of(state, "score_moves")
        return lambda state, seat, rows, weights, values: chosen(state, seat, rows, weights, values)

    overload(dispatch.drawer, strict=False)(dispatch_one("drawer"))
    for each in (
        dispatch.begin, dispatch.legal, dispatch.apply, dispatch.score, dispatch.tie_break,
    ):  # fmt: skip
        overload(each, strict=False)(dispatch_two(each.__name__))
    for longer in (
        dispatch.chance,
        dispatch.set_hidden_cards,
        dispatch.features,
        dispatch.fill_view,
    ):
        overload(longer, strict=False)(dispatch_three(longer.__name__))
    overload(dispatch.score_moves, strict=False)(choose_score_moves)

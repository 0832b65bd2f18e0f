"""Compiles rules written in Python. The only folder that imports Numba.

`layout` declares the fields of a position and who may see them; `jit` compiles functions; `modules`
loads a rules file both as plain Python and compiled; `dispatch` calls the rules of the game that a
record belongs to; `numbers` has bit operations and random numbers; `calls` is for Python code that
calls the rules on a single position; `cache` finds the folder for compiled code; `warmup` compiles
ahead of time; `buffers` reuses large arrays.
"""

from . import buffers
from .cache import add_sources, cache_folder
from .dispatch import (
    apply,
    begin,
    chance,
    drawer,
    features,
    fill_view,
    legal,
    score,
    score_moves,
    set_hidden_cards,
    tie_break,
)
from .jit import njit, njit_inline, rule, rule_with_arrays
from .layout import (
    CHANCE,
    HIDDEN,
    NOBODY,
    OWN,
    PUBLIC,
    Field,
    Layout,
    PlainRecord,
    hidden,
    own,
    plain_record,
    public,
)
from .modules import compiled_module, current, ready_calls, ready_rules
from .numbers import bit_count, first_bit, random_below
from .warmup import (
    are_rules_cached,
    compile_in_subprocess,
    make_ready,
    make_ready_in_background,
    warm_heuristic,
)

__all__ = [
    "CHANCE",
    "HIDDEN",
    "NOBODY",
    "OWN",
    "PUBLIC",
    "Field",
    "Layout",
    "PlainRecord",
    "add_sources",
    "apply",
    "are_rules_cached",
    "begin",
    "bit_count",
    "buffers",
    "cache_folder",
    "chance",
    "compile_in_subprocess",
    "compiled_module",
    "current",
    "drawer",
    "features",
    "fill_view",
    "first_bit",
    "hidden",
    "legal",
    "make_ready",
    "make_ready_in_background",
    "njit",
    "njit_inline",
    "own",
    "plain_record",
    "public",
    "random_below",
    "ready_calls",
    "ready_rules",
    "rule",
    "rule_with_arrays",
    "score",
    "score_moves",
    "set_hidden_cards",
    "tie_break",
    "warm_heuristic",
]

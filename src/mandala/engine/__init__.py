"""How rules written in Python run at the speed of C. The only folder that imports Numba.

`layout` declares the fields of a position and who sees them; `jit` compiles; `twins` loads a file
of rules as plain Python and as compiled code; `dispatch` picks a game's rules by the record's
type; `numbers` has bits and random numbers; `calls` is what Python code calls for one position;
`cache` keeps compiled code on disk; `warmup` compiles ahead of time;
`buffers` lends large arrays.
"""

from . import buffers
from .cache import add_sources, cache_folder
from .dispatch import (
    apply,
    begin,
    chance,
    drawer,
    features,
    legal,
    score,
    score_moves,
    settle,
    tie_break,
    veil,
)
from .jit import fast, rule, rule_with_arrays, tight
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
from .numbers import below, bit_count, first_bit
from .twins import current, ready_calls, ready_rules, twin_of
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
    "below",
    "bit_count",
    "buffers",
    "cache_folder",
    "chance",
    "compile_in_subprocess",
    "current",
    "drawer",
    "fast",
    "features",
    "first_bit",
    "hidden",
    "legal",
    "make_ready",
    "make_ready_in_background",
    "own",
    "plain_record",
    "public",
    "ready_calls",
    "ready_rules",
    "rule",
    "rule_with_arrays",
    "score",
    "score_moves",
    "settle",
    "tie_break",
    "tight",
    "twin_of",
    "veil",
    "warm_heuristic",
]

"""Two modules from one source file: as plain Python, and compiled.

`mandala.games.flowers.rules` runs as it stands. The same file is loaded a second time as
`mandala.engine.compiled.mandala.games.flowers.rules`, in which `@rule` compiles every function.
A file of rules imports other rules relatively, to find its own kind, and all else absolutely.
"""

from __future__ import annotations

import importlib
from types import ModuleType

COMPILED = "mandala.engine.compiled"


def is_compiled(module: str) -> bool:
    """Whether a module name is that of a compiled twin."""
    return module.startswith(f"{COMPILED}.")


def twin_of(module: str) -> ModuleType:
    """The compiled twin of a module, by the module's own name."""
    return importlib.import_module(f"{COMPILED}.{module}")


def current(module: str, package: str) -> ModuleType:
    """A module as plain Python, or its twin once the rules of a game's package are compiled."""
    return twin_of(module) if package in ready_rules else importlib.import_module(module)


# By a game's package: its compiled rules and calls, once `warmup.make_ready` has compiled them.
ready_rules: dict[str, ModuleType] = {}
ready_calls: dict[str, ModuleType] = {}

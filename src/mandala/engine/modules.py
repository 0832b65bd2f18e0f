"""Two modules from one source file: plain Python and compiled.

`mandala.games.flowers.rules` is plain Python. The same file is loaded a second time as
`mandala.engine.compiled.mandala.games.flowers.rules`, in which `@rule` compiles every function.
Inside a rules file, relative imports reach modules of the same kind (plain or compiled), and
absolute imports reach the shared plain ones.
"""

from __future__ import annotations

import importlib
from types import ModuleType

COMPILED = "mandala.engine.compiled"


def is_compiled(module: str) -> bool:
    """Whether a module name is that of a compiled module."""
    return module.startswith(f"{COMPILED}.")


def compiled_module(module: str) -> ModuleType:
    """The compiled version of a module, by the module's own name."""
    return importlib.import_module(f"{COMPILED}.{module}")


def current(module: str, package: str) -> ModuleType:
    """A module as plain Python, or its compiled version once a game's rules are compiled."""
    return compiled_module(module) if package in ready_rules else importlib.import_module(module)


# By a game's package: its compiled rules and calls, once `warmup.make_ready` has compiled them.
ready_rules: dict[str, ModuleType] = {}
ready_calls: dict[str, ModuleType] = {}

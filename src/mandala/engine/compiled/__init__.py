"""The package that compiled modules are imported from.

`mandala.engine.compiled.X` is the module `X` loaded a second time, with every `@rule` compiled to
machine code. Its packages are empty: their `__init__` does not run again.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

PREFIX = f"{__name__}."


class _EmptyPackage(importlib.abc.Loader):
    """Loads a package without running its `__init__`."""

    def exec_module(self, module: ModuleType) -> None:
        pass


class _TwinFinder(importlib.abc.MetaPathFinder):
    """Finds the source file of a compiled module by the name of the plain one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(PREFIX):
            return None
        original = importlib.util.find_spec(fullname.removeprefix(PREFIX))
        if original is None:
            return None
        if original.submodule_search_locations is not None:
            return importlib.machinery.ModuleSpec(fullname, _EmptyPackage(), is_package=True)
        return importlib.util.spec_from_file_location(fullname, original.origin)


sys.meta_path.append(_TwinFinder())

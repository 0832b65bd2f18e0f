"""Imports point downwards only: the house stays a house."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import mandala

HOME = Path(mandala.__file__).parent

# From the ground up: a module may import what stands in its own line or before it.
STOREYS = [
    {"kernel"},
    {"games", "compiled", "heuristics", "appraisal", "fill", "calls"},
    {"texts"},
    {"errors"},
    {"batch"},
    {"notation"},
    {"record", "state_text", "why", "consistency"},
    {"board", "drawing"},
    {"telling", "view"},
    {"story"},
    {"search"},
    {"game"},
    {"redeal", "replay", "players"},
    {"simulation", "fair", "lessons", "rulebook"},
    {"arena", "benchmark", "remote"},
    {"events"},
    {"table"},
    {"store", "bus"},
    {"server"},
    {"cli"},
]


def storey(module: str) -> int:
    """How high up a module of the package stands."""
    name = module.split(".")[1] if "." in module else ""
    for height, names in enumerate(STOREYS):
        if name in names:
            return height
    assert name == "", f"{module} has no place in STOREYS: give it one"
    return len(STOREYS)  # the package itself stands on all of them


def imported_by(path: Path) -> set[str]:
    """The modules of the package that a file imports, by absolute name."""
    parts = ["mandala", *path.relative_to(HOME).with_suffix("").parts]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = parts[: -node.level] if node.level else []
            names = [".".join([*base, *((node.module or "").split(".") if node.module else [])])]
            if names[0] in ("mandala", ""):
                names = [f"mandala.{alias.name}" for alias in node.names]
            found.update(name for name in names if name.startswith("mandala."))
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.startswith("mandala."))
    return found


SOURCES = sorted(path for path in HOME.rglob("*.py") if path.name != "__main__.py")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOME)))
def test_imports_point_downwards(path: Path) -> None:
    here = ".".join(["mandala", *path.relative_to(HOME).with_suffix("").parts])
    own = storey("mandala" if path == HOME / "__init__.py" else here)
    for name in imported_by(path):
        if hasattr(mandala, name.split(".")[1]) and not (HOME / name.split(".")[1]).exists():
            continue  # a name of the package's door, such as mandala.new
        assert storey(name) <= own, f"{here} stands below {name}"


def test_only_the_kernel_imports_numba() -> None:
    users = [
        path.relative_to(HOME).as_posix()
        for path in SOURCES
        if "import numba" in path.read_text(encoding="utf-8")
        or "from numba" in path.read_text(encoding="utf-8")
    ]
    assert users == ["kernel.py"]


def test_views_and_players_do_not_know_positions() -> None:
    for path in SOURCES:
        if path.relative_to(HOME).parts[0] in ("view.py", "players", "heuristics", "search"):
            assert "mandala.game" not in imported_by(path), path


def test_importing_the_package_loads_no_compiler_and_no_server() -> None:
    heavy = "{'numba', 'sqlalchemy', 'litestar', 'uvicorn', 'msgspec'}"
    code = f"import sys, mandala; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_door_is_what_it_says() -> None:
    named = {name for name, each in vars(mandala).items() if not inspect.ismodule(each)}
    assert set(mandala.__all__) == {name for name in named if not name.startswith("_")}
    assert mandala.__all__ == sorted(mandala.__all__)

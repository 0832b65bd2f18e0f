"""Layers are folders, imports only point downwards, and only a game's own folder knows it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import mandala

HOME = Path(mandala.__file__).parent

# From the bottom: a file imports from its own folder and from those before it.
LAYERS = ["engine", "text", "games", "core", "hidden", "bots", "live", "server", "cli"]

SOURCES = sorted(HOME.rglob("*.py"))


def name_of(path: Path) -> str:
    """The absolute name of a module of the package."""
    parts = path.relative_to(HOME).with_suffix("").parts
    return ".".join(["mandala", *(parts[:-1] if parts[-1] == "__init__" else parts)])


def imports_of(path: Path) -> set[str]:
    """The names that a file imports from the package, by absolute name: modules and their names."""
    package = list(path.relative_to(HOME.parent).parts[:-1])
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found.update(f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name for name in found if name.split(".")[0] == "mandala"}


def layer(name: str) -> int:
    """The index of a module's layer; the package itself is above all of them."""
    part = name.split(".")[1] if "." in name else ""
    return LAYERS.index(part) if part in LAYERS else len(LAYERS)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOME)))
def test_imports_point_downwards(path: Path) -> None:
    here = name_of(path)
    for name in imports_of(path) - {"mandala.__version__"}:
        assert layer(name) <= layer(here), f"{here} is below {name}"


def test_every_file_is_in_a_layer() -> None:
    outside = {path.name for path in SOURCES if path.parent == HOME}
    assert outside == {"__init__.py", "__main__.py"}
    assert {path.relative_to(HOME).parts[0] for path in SOURCES} - outside == set(LAYERS)


def test_only_the_engine_imports_numba() -> None:
    for path in SOURCES:
        if path.relative_to(HOME).parts[0] == "engine":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] == "numba" for name in names), path


def test_views_and_players_do_not_know_positions() -> None:
    views = HOME / "core" / "view.py"
    chosen = [path for path in SOURCES if (HOME / "bots" / "search") in path.parents]
    chosen += [HOME / "bots" / f"{name}.py" for name in ("players", "greedy", "random", "searcher")]
    for path in [views, *chosen]:
        assert not any(name.startswith("mandala.core.position") for name in imports_of(path)), path


def test_games_do_not_know_positions_or_views() -> None:
    for path in SOURCES:
        if (HOME / "games") in path.parents:
            assert not any(name.startswith("mandala.core") for name in imports_of(path)), path


# Files that use the name `mandala` for the package, its command, its cookie or its data.
PACKAGE_NAME_FILES = {
    "mandala": {
        "games/__init__.py",
        "engine/cache.py",
        "live/store/upgrade.py",
        "live/bus/__init__.py",
        "server/identity.py",
        "server/app.py",
        "cli/__init__.py",
    }
}


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_game_is_known_only_in_its_own_folder(game: str) -> None:
    own, registry = HOME / "games" / game, HOME / "games" / "__init__.py"
    for path in SOURCES:
        if own in path.parents or path == registry:
            continue
        assert not any(
            name.startswith(f"mandala.games.{game}.") or name == f"mandala.games.{game}"
            for name in imports_of(path)
        ), f"{path} imports {game}"
        if str(path.relative_to(HOME)) in PACKAGE_NAME_FILES.get(game, ()):
            continue
        found = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and node.value == game
        ]
        in_other_game = (HOME / "games") in path.parents and game == "mandala"
        assert in_other_game or not found, f"{path}:{found} names {game}"


def test_importing_the_package_loads_no_compiler_and_no_server() -> None:
    heavy = "{'numba', 'sqlalchemy', 'litestar', 'uvicorn', 'msgspec'}"
    code = f"import sys, mandala; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_public_api_is_complete() -> None:
    named = {name for name, each in vars(mandala).items() if not inspect.ismodule(each)}
    named = {name for name in named if not name.startswith("_")} - {"TYPE_CHECKING"}
    assert set(mandala.__all__) == named | {"Batch"}
    assert mandala.__all__ == sorted(mandala.__all__)
    assert all(getattr(mandala, name) is not None for name in mandala.__all__)

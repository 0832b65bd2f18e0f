"""Layers are folders, imports only point downwards, and only a game's own folder knows it."""

from __future__ import annotations

import ast
import inspect
import re
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


# A game has the name of this package. How often a file means the package, its command, its cookie
# or its data; in Flowers, a mandala is a thing on the table.
OWN_NAME = {
    "engine/cache.py": 1,
    "bots/external.py": 1,
    "live/store/upgrade.py": 1,
    "live/bus/__init__.py": 1,
    "server/identity.py": 1,
    "server/app.py": 1,
    "cli/__init__.py": 3,
}
WITH_MANDALAS = HOME / "games" / "flowers"
IS_OWN = {game: game == "mandala" for game in mandala.game_ids()}


def uses_of(game: str, source: str) -> list[int]:
    """The lines of a source that know a game: in a text other than a docstring, or as a name."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = re.split(r"[^A-Za-z0-9]+", node.value)
            is_use = id(node) not in prose and (
                node.value == game if IS_OWN[game] else game in words
            )
        else:
            names = (getattr(node, name, None) for name in ("id", "attr", "arg", "name", "module"))
            is_use = not IS_OWN[game] and any(game in str(name).split(".") for name in names)
        if is_use:
            found.append(getattr(node, "lineno", 0))
    return found


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_game_is_known_only_in_its_own_folder(game: str) -> None:
    own, registry = HOME / "games" / game, HOME / "games" / "__init__.py"
    for path in SOURCES:
        if own in path.parents or path == registry:
            continue
        imported = {
            name for name in imports_of(path) if f"{name}.".startswith(f"mandala.games.{game}.")
        }
        assert not imported, f"{path} imports {game}"
        if IS_OWN[game] and WITH_MANDALAS in path.parents:
            continue
        allowed = OWN_NAME.get(path.relative_to(HOME).as_posix(), 0) if IS_OWN[game] else 0
        found = uses_of(game, path.read_text(encoding="utf-8"))
        assert len(found) == allowed, f"{path}: lines {found} know {game}"


@pytest.mark.parametrize(
    "source",
    [
        "if game == 'patterns': pass",
        "is_open = game in ('patterns', 'chess')",
        "POINTS = {'patterns': 1}",
        "POINTS = dict(patterns=1)",
        "match game:\n    case 'patterns': pass",
        "path = f'{home}/patterns.c'",
        "load('mandala.games.patterns.rules')",
        "rules = games.patterns.rules",
        "from mandala.games import patterns",
        "from ..games.patterns.rules import legal",
        "def patterns(): pass",
    ],
)
def test_every_use_of_a_game_is_found(source: str) -> None:
    assert uses_of("patterns", source)


def test_the_game_with_the_name_of_the_package_is_found_too() -> None:
    assert uses_of("mandala", "if game == 'mandala' or game in {'mandala': 1}: pass") == [1, 1]


def test_prose_and_other_words_are_no_use_of_a_game() -> None:
    source = (
        '"""Like patterns, or flowers."""\nfrom re import compile as to_pattern\nx = "sunflowers"'
    )
    assert not any(uses_of(game, source) for game in mandala.game_ids())


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

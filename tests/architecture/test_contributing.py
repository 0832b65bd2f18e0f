"""The files that CONTRIBUTING.md names exist, and contain what it says that a game needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Where a name without a folder may stand, and what a placeholder may stand for.
HOMES = [ROOT / "web/src", ROOT / "web/src/boards/patterns", ROOT / "web/src/screens/replay"]
HOMES += [ROOT, ROOT / "src/mandala", ROOT / "src/mandala/games/patterns"]
PLACEHOLDERS = {"<game>": "patterns", "<screen>": "replay"}
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LOOKS_LIKE_A_PATH = re.compile(
    r"[\w<>*.-]+(/[\w<>*.-]+)*(/|\.(py|toml|md|ts|svelte|npy|c|txt|html))"
)
FOLDER = re.compile(r"(src|tests|web|docs|bench)(/[\w<>.-]+)+")


def paths() -> list[str]:
    """All that stands in backticks and looks like a path."""
    named = re.findall(r"`([^`\s]+)`", TEXT)
    return sorted(
        {each for each in named if LOOKS_LIKE_A_PATH.fullmatch(each) or FOLDER.fullmatch(each)}
    )


@pytest.mark.parametrize("path", paths())
def test_a_path_of_the_guides_exists(path: str) -> None:
    for placeholder, example in PLACEHOLDERS.items():
        path = path.replace(placeholder, example)
    assert any(True for home in HOMES for _ in home.glob(f"**/{path}" if "*" in path else path))


def test_the_guides_name_their_files() -> None:
    assert len(paths()) > 60


@pytest.mark.parametrize("module", re.findall(r"python -m ([\w.]+)", TEXT))
def test_a_module_of_the_guides_exists(module: str) -> None:
    place = module.replace(".", "/")
    assert any(
        (home / end).exists()
        for home in (ROOT, ROOT / "src")
        for end in (f"{place}.py", f"{place}/__main__.py")
    )


def names_by_file() -> list[tuple[str, str]]:
    """The files in the table of "Add a game", each with the names that its content column has."""
    rows = re.findall(r"^ +\| `(\w+\.py)` \| (.*?) \|", TEXT, re.MULTILINE)
    return [(file, name) for file, content in rows for name in re.findall(r"`(\w+)`", content)]


@pytest.mark.parametrize(("file", "name"), names_by_file())
def test_a_file_of_a_game_has_the_names_of_the_guide(file: str, name: str) -> None:
    examples = [ROOT / "tests/tiny" / file, ROOT / "src/mandala/games/patterns" / file]
    example = next(each for each in examples if each.exists())
    assert re.search(rf"\b{name}\b", example.read_text(encoding="utf-8"))


def test_the_guide_names_what_a_game_needs() -> None:
    assert len(names_by_file()) > 25

"""Every ruling and every worked check of the rules pages has a test with its name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from mandala.games import game_ids

ROOT = Path(__file__).parents[2]
RULING = re.compile(r"^\d+\. \*\*`([a-z0-9-]+)`\*\*$", re.MULTILINE)
CHECK = re.compile(r"^\| `([a-z0-9-]+)` \|", re.MULTILINE)


def page(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """The text under a second-level heading."""
    found = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found.group(1)


def rulings(game: str) -> list[str]:
    return RULING.findall(section(page(game), "Rulings"))


def checks(game: str) -> list[str]:
    return CHECK.findall(section(page(game), "Worked checks"))


def names_of_tests(game: str) -> set[str]:
    """The names of the tests of a game's rules."""
    source = (ROOT / "tests" / "games" / game / "test_rules.py").read_text(encoding="utf-8")
    return {each.name for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)}


def name_for(kind: str, identity: str) -> str:
    return f"test_{kind}_{identity.replace('-', '_')}"


@pytest.mark.parametrize("game", game_ids())
def test_every_ruling_and_check_has_a_test_of_its_name(game: str) -> None:
    wanted = {name_for("ruling", each) for each in rulings(game)}
    wanted |= {name_for("check", each) for each in checks(game)}
    assert wanted - names_of_tests(game) == set()


@pytest.mark.parametrize("game", game_ids())
def test_every_test_of_a_ruling_or_check_names_one_of_its_page(game: str) -> None:
    known = [name_for("ruling", each) for each in rulings(game)]
    known += [name_for("check", each) for each in checks(game)]
    named = [
        each for each in names_of_tests(game) if each.startswith(("test_ruling_", "test_check_"))
    ]
    # Further tests of a ruling start with its name.
    assert [each for each in named if not each.startswith(tuple(known))] == []


@pytest.mark.parametrize("game", game_ids())
def test_the_page_is_read_to_the_last_ruling(game: str) -> None:
    """No ruling or check is overlooked because it is written in another form."""
    text = section(page(game), "Rulings")
    assert len(rulings(game)) == len(re.findall(r"^\d+\. ", text, re.MULTILINE)) > 0
    assert len(rulings(game)) == text.count("*Ours:*") == text.count("*Open:*")
    rows = [line for line in section(page(game), "Worked checks").splitlines() if line[:1] == "|"]
    assert len(checks(game)) == len(rows) - 2 > 0


def test_ids_are_unique_over_all_games() -> None:
    ids = Counter(each for game in game_ids() for each in [*rulings(game), *checks(game)])
    assert [each for each, number in ids.items() if number > 1] == []


@pytest.mark.parametrize("game", game_ids())
def test_rulings_named_in_the_text_exist(game: str) -> None:
    known = {each for other in game_ids() for each in rulings(other)}
    named = set(re.findall(r"\(`([a-z]+(?:-[a-z]+)+)`\)", page(game)))
    assert named - known == set()

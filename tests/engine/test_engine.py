"""Layouts, the compile cache, and functions shared by compiled and plain code."""

from __future__ import annotations

import importlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mandala
from mandala import engine
from mandala.engine import HIDDEN, OWN, PUBLIC, Layout, hidden, own, public
from mandala.games import find_game

SOURCE = Path(mandala.__file__).parent


def run_python(code: str, **environment: str) -> str:
    """Run code in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Example(Layout):
    """A layout as a rules file declares it."""

    turn = public()
    hand = own(2, 7)
    pile = hidden(7)
    comment = "not a field: only declared fields are part of the record"


def test_a_layout_is_packed_and_says_who_sees_what() -> None:
    assert Example.dtype.names == ("turn", "hand", "pile")
    assert Example.dtype.itemsize == 1 + 14 + 7
    seen = {name: field.seen for name, field in Example.fields.items()}
    assert seen == {"turn": PUBLIC, "hand": OWN, "pile": HIDDEN}


@pytest.mark.parametrize("game", mandala.game_ids())
def test_hands_and_piles_are_never_public(game: str) -> None:
    fields = find_game(game).plain_rules.State.fields
    for name in ("hand", "secret", "pile", "drawn"):
        assert name not in fields or fields[name].seen != PUBLIC


def test_random_numbers_are_the_same_plain_and_compiled() -> None:
    find_game("mandala").make_ready()
    from mandala.core.batch import play_chance

    rules = find_game("mandala").compiled("rules")
    rows, weights = np.empty(512, np.int16), np.empty(512, np.int64)
    states, plain, fast = np.zeros(1, rules.State.dtype), np.ones(1, "u8"), np.ones(1, "u8")
    rules.begin(states[0], 2)
    play_chance(states[0], fast, rows, weights)
    for _ in range(rules.SETUP_COUNT):
        engine.random_below(plain, 100)
    assert plain[0] == fast[0]
    assert 0 <= engine.random_below(plain, 3) < 3


def test_random_numbers_are_uniform() -> None:
    generator = np.array([7], np.uint64)
    counts = np.bincount([engine.random_below(generator, 6) for _ in range(6_000)], minlength=6)
    assert (abs(counts - 1_000) < 150).all()


def test_bits_are_counted_and_found() -> None:
    assert engine.bit_count(np.uint64(0b1011)) == 3
    assert engine.first_bit(np.uint64(1 << 63)) == 63


def test_the_cache_folder_can_be_chosen(tmp_path: Path) -> None:
    where = run_python(
        "from mandala import engine; print(engine.cache_folder())", MANDALA_CACHE=str(tmp_path)
    )
    assert Path(where).parent == tmp_path


def test_the_cache_uses_another_folder_if_one_is_not_writable(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    where = run_python(
        "from mandala import engine; print(engine.cache_folder())",
        MANDALA_CACHE=str(blocked),
        TMPDIR=str(tmp_path),
    )
    assert Path(where).is_relative_to(tmp_path)
    assert not Path(where).is_relative_to(blocked)


def test_rules_compile_without_a_cache_folder() -> None:
    code = (
        "from mandala import engine, find_game; engine.cache._candidates = lambda: iter(())\n"
        "find_game('patterns').make_ready(); import mandala\n"
        "print(engine.cache_folder(), mandala.new('patterns', seed=7).actor)"
    )
    assert run_python(code) == "None 2"


def test_an_edited_rules_file_is_compiled_again(tmp_path: Path) -> None:
    """A copy of the package behaves differently after an edit, although the old cache exists."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE, tmp_path / "mandala", ignore=ignore)
    code = (
        "from mandala import engine, find_game; rules = find_game('patterns').make_ready()\n"
        "import numpy as np\n"
        "states = np.zeros(1, rules.State.dtype); rules.begin(states[0], 2)\n"
        "print(int(states[0].supply[0]), engine.cache_folder())"
    )
    place = {"PYTHONPATH": str(tmp_path), "MANDALA_CACHE": str(tmp_path / "cache")}
    before = run_python(code, **place).split()
    rules = tmp_path / "mandala" / "games" / "patterns" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("COPIES_ON_UNMARKED = 8", "COPIES_ON_UNMARKED = 7"), "utf-8")
    after = run_python(code, **place).split()
    assert (before[0], after[0]) == ("8", "7")
    assert before[1] != after[1]


def test_a_second_process_loads_from_the_cache(tmp_path: Path) -> None:
    code = (
        "from mandala import engine, find_game\nrules = find_game('patterns').make_ready()\n"
        "print(sum(rules.legal.stats.cache_hits.values()), rules.legal.stats.cache_misses)"
    )
    run_python(code, MANDALA_CACHE=str(tmp_path))
    assert run_python(code, MANDALA_CACHE=str(tmp_path)).startswith("1 ")


def test_rules_are_plain_until_they_are_ready() -> None:
    code = (
        "from mandala import engine, find_game\nfirst = find_game('patterns').rules.__name__\n"
        "find_game('patterns').make_ready_in_background().join()\n"
        "print(first, find_game('patterns').rules.__name__)"
    )
    assert run_python(code) == (
        "mandala.games.patterns.rules mandala.engine.compiled.mandala.games.patterns.rules"
    )


@pytest.mark.skipif(os.name != "posix", reason="the lock is one of POSIX")
def test_a_compiling_child_ends_with_its_parent_and_runs_alone(
    tmp_path: Path,
) -> None:
    written = tmp_path / "written"
    task = (
        f"import os, time; open({str(written)!r}, 'a').write(f'{{os.getpid()}} '); time.sleep(60)"
    )
    code = (
        "import threading, time; from mandala import engine, find_game\n"
        "for _ in range(2):\n"
        f"    threading.Thread(target=engine.compile_in_subprocess, args=[{task!r}], daemon=True)"
        ".start()\n"
        "time.sleep(60)"
    )
    environment = {**os.environ, "MANDALA_CACHE": str(tmp_path / "cache")}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment)
    wait_until(lambda: written.exists() and written.read_text())
    time.sleep(0.5)  # long enough for the second to start
    parent.kill()
    parent.wait()
    (child,) = written.read_text().split()
    wait_until(lambda: not is_alive(int(child)))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], object]) -> None:
    """Wait up to 20 seconds until a condition holds."""
    for _ in range(400):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("timeout")


@pytest.mark.parametrize("game", mandala.game_ids())
def test_calls_agree_with_the_rules_plain_and_compiled(game: str) -> None:
    compiled = find_game(game).make_ready()
    plain = find_game(game).plain_rules
    plain_calls, compiled_calls = (
        importlib.import_module("mandala.engine.calls"),
        find_game(game).calls,
    )
    assert plain_calls is not compiled_calls
    rows, weights = np.zeros(512, np.int16), np.zeros(512, np.int64)
    chance = random.Random(7)
    states = [np.zeros(1, plain.State.dtype) for _ in range(3)]
    for each in states:
        plain.begin(each[0], 2)
    by_rules, by_plain, by_compiled = states
    for _ in range(120):
        total = plain_calls.list_chance(by_plain, rows, weights)
        assert total == compiled_calls.list_chance(by_compiled, rows.copy(), weights.copy())
        if total:
            number = chance.randrange(total)
            found = plain.chance(by_rules[0], rows, weights)
            places = np.repeat(rows[:found], weights[:found])
            row, drawer = int(places[number]), int(plain.drawer(by_rules[0]))
            compiled_calls.list_chance(by_compiled, rows, weights)
            drawn = compiled_calls.draw(by_compiled, number, rows, weights)
            plain_calls.list_chance(by_plain, rows, weights)
            assert plain_calls.draw(by_plain, number, rows, weights) == drawn
            assert drawn[:2] == (row, drawer)
        else:
            found = compiled_calls.legal(by_compiled, rows)
            legal = rows[:found].tolist()
            assert legal == rows[: plain_calls.legal(by_plain, rows)].tolist()
            assert legal == rows[: compiled.legal(by_rules[0], rows)].tolist()
            if not legal:
                break
            row = chance.choice(legal)
            assert compiled_calls.play(by_compiled, row) == plain_calls.play(by_plain, row)
        plain.apply(by_rules[0], row)
        assert by_rules.tobytes() == by_plain.tobytes() == by_compiled.tobytes()
        for seat in range(2):
            points = plain.score(by_rules[0], seat)
            assert points == plain_calls.score(by_plain, seat)
            assert points == compiled_calls.score(by_compiled, seat)
            seen = [each.copy() for each in states]
            plain.fill_view(by_rules[0], seen[0][0], seat)
            plain_calls.fill_view(by_plain, seen[1], seat)
            compiled_calls.fill_view(by_compiled, seen[2], seat)
            assert seen[0].tobytes() == seen[1].tobytes() == seen[2].tobytes()


def test_space_codes_of_patterns_are_the_same_plain_and_compiled() -> None:
    compiled, plain = find_game("patterns").make_ready(), find_game("patterns").plain_rules
    position, chance = mandala.new("patterns"), random.Random(3)
    while True:
        codes = [np.zeros(plain.SETUP_COUNT, np.uint8) for _ in range(2)]
        plain.space_codes(position.states, codes[0])
        compiled.space_codes(position.states, codes[1])
        assert codes[0].tolist() == codes[1].tolist()
        if position.is_over:
            break
        position = position.play_row(chance.choice(position.possible_rows()))

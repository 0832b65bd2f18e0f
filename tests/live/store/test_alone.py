"""Only one server at a time has a SQLite file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mandala.live.store.alone import held_alone
from mandala.text.errors import Refused
from tests.cli.tools import run as run_command

HOLD = """
import sys, time
from pathlib import Path
from mandala.live.store.alone import held_alone
with held_alone(Path(sys.argv[1]), "somebody"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_who_comes_second_is_told_who_came_first_until_that_one_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "mandala.db"
    command = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        try:
            assert first.stdout.readline() == "held\n"
            for _ in range(2):  # to be refused leaves everything as it was
                with pytest.raises(Refused, match="in use, by somebody"), held_alone(file, "me"):
                    pass
        finally:
            first.kill()
    for _ in range(2):
        with held_alone(file, "me"):
            pass


def test_nothing_is_put_in_the_place_of_a_database_in_use(tmp_path: Path) -> None:
    file, copy = tmp_path / "mandala.db", tmp_path / "copy.db"
    for each in (file, copy):
        each.write_bytes(b"")
    with held_alone(file, "http://127.0.0.1:8080"):
        done = run_command("restore", str(copy), "--database", f"sqlite:///{file}")
    assert (done.exit_code, done.output) == (
        1,
        "this database is in use, by http://127.0.0.1:8080\n",
    )

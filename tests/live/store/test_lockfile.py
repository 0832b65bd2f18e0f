"""Only one server at a time can use a SQLite file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mandala.live.store.lockfile import hold_lock
from mandala.text.errors import Refused
from tests.cli.tools import run as run_command

HOLD = """
import sys, time
from pathlib import Path
from mandala.live.store.lockfile import hold_lock
with hold_lock(Path(sys.argv[1]), "the first"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    file = tmp_path / "new" / "mandala.db"
    command = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        try:
            assert first.stdout.readline() == "held\n"
            for _ in range(2):  # a refused attempt changes nothing
                with pytest.raises(Refused, match="in use, by the first"), hold_lock(file, "me"):
                    pass
        finally:
            first.kill()
    for _ in range(2):
        with hold_lock(file, "me"):
            pass


def test_a_database_in_use_cannot_be_restored(tmp_path: Path) -> None:
    file, copy = tmp_path / "mandala.db", tmp_path / "copy.db"
    for each in (file, copy):
        each.write_bytes(b"")
    with hold_lock(file, "http://127.0.0.1:8080"):
        done = run_command("restore", str(copy), "--database", f"sqlite:///{file}")
    assert (done.exit_code, done.output) == (
        1,
        "this database is in use, by http://127.0.0.1:8080\n",
    )

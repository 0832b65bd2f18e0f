"""Files that only their owner may read: databases contain secrets of deals and of players."""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE = 0o600


def make_private(file: Path) -> None:
    """Create a file that only its owner can read; one that exists already becomes private."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, PRIVATE))
    if hasattr(os, "geteuid") and file.stat().st_uid == os.geteuid():
        file.chmod(PRIVATE)


def unused_name(file: Path) -> Path:
    """Return this path, or the first with a number appended that does not exist."""
    number, found = 1, file
    while found.exists():
        number += 1
        found = file.with_name(f"{file.name}-{number}")
    return found

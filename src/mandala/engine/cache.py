"""The compile cache: a folder named after a hash of all sources that are compiled.

Numba's own cache checks only the file of the function itself. With the hash in the folder's name,
an edited rule is never combined with code compiled from an older version of its callers.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import platformdirs

COMPILED_SOURCE = re.compile(rb"^@(rule|rule_with_arrays|njit|njit_inline)\b", re.MULTILINE)

_lock = threading.Lock()
_folder: list[Path | None] = []
_source_folders = [Path(__file__).parents[1]]


def add_sources(folder: Path) -> None:
    """Include the sources of a folder outside this package, such as another game, in the hash.

    Raises RuntimeError when the cache is in use already, since code compiled until then does not
    depend on these sources.
    """
    with _lock:
        if any(folder.is_relative_to(known) for known in _source_folders):
            return
        if _folder:
            raise RuntimeError(
                "a game must be registered before anything is compiled, and so before Batch or "
                "the search is imported; MANDALA_GAMES registers it in time"
            )
        _source_folders.append(folder)


def cache_folder() -> Path | None:
    """The folder for compiled code, or None when no writable folder is found."""
    with _lock:
        if not _folder:
            _folder.append(_first_writable(_candidates(), _fingerprint()))
        return _folder[0]


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("MANDALA_CACHE"):
        yield Path(chosen)
    else:
        with contextlib.suppress(RuntimeError):  # no home folder is known
            yield platformdirs.user_cache_path("mandala")
    with contextlib.suppress(FileNotFoundError):  # no temporary folder is writable
        yield Path(tempfile.gettempdir()) / f"mandala-{os.getuid() if os.name == 'posix' else 0}"


def _first_writable(candidates: Iterator[Path], name: str) -> Path | None:
    for candidate in candidates:
        folder = candidate / name
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for folder in _source_folders:
        for source in sorted(folder.rglob("*.py")):
            text = source.read_bytes()
            if source.parent == Path(__file__).parent or COMPILED_SOURCE.search(text):
                digest.update(str(source.relative_to(folder)).encode() + b"\0" + text)
    for package in ("numba", "numpy", "llvmlite"):
        digest.update(f"{package} {metadata.version(package)}".encode())
    digest.update(sys.version.encode())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let Numba use a cache folder, and restore its own setting afterwards."""
    from numba.core import config

    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if folder else before
    try:
        yield
    finally:
        config.CACHE_DIR = before

"""The number of files and connections that the system lets this process open."""

from __future__ import annotations

import logging

try:
    import resource
except ImportError:  # not on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger("mandala.server")

OWN_FILES = 200  # database, bots, bus, and what Python opens


def raise_file_limit(max_connections: int) -> None:
    """Let this process and its children open files for all connections, as far as is allowed."""
    if resource is None:
        return
    needed = max_connections + OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    is_enough = hard == resource.RLIM_INFINITY or hard >= needed
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed if is_enough else hard, hard))
    if not is_enough:
        log.warning("few open files allowed", extra={"allowed": hard, "needed": needed})

"""Logging as lines of JSON."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

DAMPING_INTERVAL_S = 10.0
MAX_REPEATED_LINES = 10  # of one kind in an interval
MAX_DAMPED_LINES = 1_000  # kinds of lines that are counted
MAX_KEY_LENGTH = 100  # characters that tell kinds of lines apart

STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "color_message",
}


class JsonLines(logging.Formatter):
    """Formats each log record as a line of JSON. Callers never log cards, keys or addresses."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD_FIELDS}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class Damping(logging.Filter):
    """Lets the same warning or error through a few times per interval, and then counts it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lines: dict[tuple[str, str], _Repeated] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log a record; the first one of an interval tells how many were left out."""
        if record.levelno < logging.WARNING:
            return True
        key, now = (record.name, str(record.msg)[:MAX_KEY_LENGTH].partition("\n")[0]), self._clock()
        repeated = self._lines.pop(key, None) or _Repeated(now)
        self._lines[key] = repeated
        if len(self._lines) > MAX_DAMPED_LINES:
            del self._lines[next(iter(self._lines))]
        if now >= repeated.since + DAMPING_INTERVAL_S:
            if repeated.count > MAX_REPEATED_LINES:
                record.left_out = repeated.count - MAX_REPEATED_LINES
            repeated.since, repeated.count = now, 0
        repeated.count += 1
        return repeated.count <= MAX_REPEATED_LINES


@dataclass
class _Repeated:
    since: float
    count: int = 0


def log_as_json(level: int) -> None:
    """Log records of at least `level` to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Damping())
    logging.basicConfig(level=level, handlers=[handler], force=True)


def is_not_client_error(record: logging.LogRecord) -> bool:
    """Whether a record of uvicorn is not about a message that a client has encoded wrongly."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, UnicodeDecodeError)

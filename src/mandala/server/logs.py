"""Logging as lines of JSON."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

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


def log_as_json(level: int) -> None:
    """Log records of at least `level` to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)


def is_not_client_error(record: logging.LogRecord) -> bool:
    """Whether a record of uvicorn is not about a message that a client has encoded wrongly."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, UnicodeDecodeError)

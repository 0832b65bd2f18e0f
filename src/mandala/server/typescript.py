"""The messages as TypeScript types for the page: `python -m mandala.server.typescript FILE`."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mandala.server import messages

HEAD = "// Made from the server's messages by `python -m mandala.server.typescript`: do not edit.\n"
UNIONS = {"Request": messages.Request, "Reply": messages.Reply}
TYPES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean",
         "null": "null"}  # fmt: skip


def text() -> str:
    """The file: a type for each message, and one for all that go each way."""
    kinds = [
        kind
        for _, kind in inspect.getmembers(messages, inspect.isclass)
        if issubclass(kind, messages.Message) and kind is not messages.Message
    ]
    _, components = msgspec.json.schema_components(kinds, ref_template="{name}")
    parts = [HEAD]
    for name, schema in sorted(components.items()):
        parts.append(_declared(name, schema))
    for name, union in UNIONS.items():
        parts.append(f"export type {name} = {' | '.join(kind.__name__ for kind in union.__args__)}")
    return "\n".join(parts) + "\n"


def _declared(name: str, schema: Mapping[str, Any]) -> str:
    lines = []
    if schema.get("description"):
        lines.append(f"/** {' '.join(schema['description'].split())} */")
    lines.append(f"export interface {name} {{")
    needed = schema.get("required", [])
    for field, kind in schema["properties"].items():
        optional = "" if field in needed else "?"
        lines.append(f"  {field}{optional}: {_type(kind)}")
    return "\n".join([*lines, "}"]) + "\n"


def _type(schema: Mapping[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, Mapping) else 'unknown'}>"
    return TYPES[schema["type"]] if "type" in schema else "unknown"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")

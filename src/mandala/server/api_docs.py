"""The page at `/docs`: the OpenAPI document as plain HTML, without scripts or external files."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec


def docs_page(document: Mapping[str, Any]) -> str:
    """Return an HTML page that describes every operation and every message."""
    info = document["info"]
    parts = [f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>"]
    parts.append('<p>As an OpenAPI document: <a href="/openapi.json">/openapi.json</a></p>')
    for path, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            parts.append(f"<h2>{escape(method.upper())} {escape(path)}</h2>")
            parts.append(f"<p>{escape(operation.get('description') or '')}</p>")
            if body := operation.get("requestBody"):
                parts.append(f"<p>Body: {_names(body)}</p>")
            responses = operation.get("responses", {})
            parts += [
                f"<p>{escape(str(code))}: {_names(each)}</p>" for code, each in responses.items()
            ]
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        text = escape(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
        parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2><pre>{text}</pre>')
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    body = "".join(parts)
    top = f'<!doctype html><html lang="en"><head>{head}<title>API</title></head>'
    return f"{top}<body>{body}</body></html>"


def _names(part: Mapping[str, Any]) -> str:
    """Links to the messages in a request or response body."""
    found = []
    for content in part.get("content", {}).values():
        schema = content.get("schema", {})
        name = (schema.get("$ref") or schema.get("items", {}).get("$ref", "")).rpartition("/")[2]
        found.append(f'<a href="#{escape(name)}">{escape(name)}</a>' if name else "text")
    return ", ".join(found) or escape(part.get("description") or "")

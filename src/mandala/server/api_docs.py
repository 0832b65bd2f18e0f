"""The API's page for people, written from its own document: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec


def page_of(document: Mapping[str, Any]) -> str:
    """An HTML page that tells every operation and every message."""
    info = document["info"]
    parts = [f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>"]
    parts.append('<p>The whole document: <a href="/openapi.json">/openapi.json</a></p>')
    for path, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            parts.append(f"<h2>{escape(method.upper())} {escape(path)}</h2>")
            parts.append(f"<p>{escape(operation.get('description') or '')}</p>")
            if body := operation.get("requestBody"):
                parts.append(f"<p>Body: {_names(body)}</p>")
            answers = operation.get("responses", {})
            parts += [
                f"<p>{escape(str(code))}: {_names(each)}</p>" for code, each in answers.items()
            ]
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        text = escape(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
        parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2><pre>{text}</pre>')
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    body = "".join(parts)
    top = f'<!doctype html><html lang="en"><head>{head}<title>API</title></head>'
    return f"{top}<body>{body}</body></html>"


def _names(part: Mapping[str, Any]) -> str:
    """The messages that a body or an answer is made of, as links."""
    found = []
    for content in part.get("content", {}).values():
        schema = content.get("schema", {})
        name = (schema.get("$ref") or schema.get("items", {}).get("$ref", "")).rpartition("/")[2]
        found.append(f'<a href="#{escape(name)}">{escape(name)}</a>' if name else "text")
    return ", ".join(found) or escape(part.get("description") or "")

"""The built page: its files, read once at the start and compressed then, so that sending is all.

The page draws its own places, such as `/table/ID`: a path that is no file and names none is
answered with `index.html`.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "page"
IMMUTABLE = "public, max-age=31536000, immutable"  # a file of `assets` has its hash in its name
SHORT = "public, max-age=600"
ASK_AGAIN = "no-cache"
TEXTS = re.compile(r"text/|application/(javascript|json|manifest\+json)|image/svg")
NOT_COMPRESSED_BELOW = 1_000  # bytes
HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
# Mimetypes depend on the machine; these are what browsers insist on.
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>mandala</title></head><body>
<h1>mandala</h1>
<p>The server runs, but its page is not built yet. In the folder of the project:</p>
<pre>cd web && npm ci && npm run build</pre>
<p>Then start the server again. The API is described at <a href="/docs">/docs</a>.</p>
</body></html>
"""


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    body: bytes
    packed: bytes | None  # by gzip, where that pays
    media_type: str
    cache: str
    tag: str


def read(folder: Path) -> dict[str, File]:
    """All files of a built page by their path; only a word on how to build it when it is not."""
    found = {
        "/" + path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    if "/index.html" not in found:
        found = {"/index.html": NOT_BUILT.encode()}
    return {path: _file(path, body) for path, body in found.items()}


def _file(path: str, body: bytes) -> File:
    suffix = Path(path).suffix
    media_type = TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_packed = TEXTS.match(media_type) and len(body) >= NOT_COMPRESSED_BELOW
    cache = SHORT
    if path == "/index.html":
        cache = ASK_AGAIN
    elif path.startswith("/assets/"):
        cache = IMMUTABLE
    packed = gzip.compress(body, 9, mtime=0) if is_packed else None
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, packed, media_type, cache, tag)


def find(files: dict[str, File], path: str) -> File | None:
    """The file for a path: its own, or the page itself; None for a file that is not there."""
    if path in files:
        return files[path]
    return None if "." in path.rpartition("/")[2] else files["/index.html"]


def policy_of(host: str) -> str:
    """The Content-Security-Policy of the page: only what came with it, and sockets to its host.

    Older browsers do not take a WebSocket to the page's own host for `'self'`.
    """
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        f"connect-src 'self'{sockets}; font-src 'self'; img-src 'self' data:; "
        "manifest-src 'self'; media-src 'self'; script-src 'self'; style-src 'self'; "
        "worker-src 'self'"
    )


def headers_of(file: File, headers: Any) -> tuple[dict[str, str], bytes]:
    """What a file is sent with, and its bytes, as the client can take them."""
    sent = {"Cache-Control": file.cache, "ETag": file.tag}
    body = file.body
    if file.packed is not None:
        sent["Vary"] = "Accept-Encoding"
        if "gzip" in headers.get("accept-encoding", ""):
            sent["Content-Encoding"] = "gzip"
            body = file.packed
    if file.media_type.startswith("text/html"):
        sent["Content-Security-Policy"] = policy_of(headers.get("host", ""))
    return sent, body

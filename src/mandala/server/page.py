"""The files of the built page, read and compressed once at the start.

The page has a client-side router for paths such as `/t/ID`: a path without a file extension is
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
IMMUTABLE = "public, max-age=31536000, immutable"  # files in `assets` have a hash in their name
TEN_MINUTES = "public, max-age=600"
REVALIDATE = "no-cache"
COMPRESSIBLE = re.compile(r"text/|application/(javascript|json|manifest\+json)|image/svg")
MIN_COMPRESSED_BYTES = 1_000
HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
# The types that `mimetypes` knows depend on the machine; browsers require these.
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>mandala</title></head><body>
<h1>mandala</h1>
<p>The server is running, but its page has not been built. In the project's folder, run:</p>
<pre>cd web && npm ci && npm run build</pre>
<p>Then restart the server. The API is described at <a href="/docs">/docs</a>.</p>
</body></html>
"""


@dataclass(frozen=True)
class File:
    """A file with its response headers."""

    body: bytes
    gzipped: bytes | None  # None for small files and compressed formats
    media_type: str
    cache_control: str
    etag: str


def read_files(folder: Path) -> dict[str, File]:
    """Return the files of the built page by URL path, or a page with build instructions."""
    found = {
        "/" + path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    if "/index.html" not in found:
        found = {"/index.html": NOT_BUILT.encode()}
    return {path: make_file(path, body) for path, body in found.items()}


def make_file(path: str, body: bytes) -> File:
    """Return a file with the headers for its path, compressed if that saves much."""
    suffix = Path(path).suffix
    guessed = MEDIA_TYPES.get(suffix) or mimetypes.guess_type(path)[0]
    media_type = guessed or "application/octet-stream"
    is_compressed = COMPRESSIBLE.match(media_type) and len(body) >= MIN_COMPRESSED_BYTES
    cache_control = TEN_MINUTES
    if path == "/index.html":
        cache_control = REVALIDATE
    elif path.startswith("/assets/"):
        cache_control = IMMUTABLE
    gzipped = gzip.compress(body, 9, mtime=0) if is_compressed else None
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, gzipped, media_type, cache_control, etag)


def find_file(files: dict[str, File], path: str) -> File | None:
    """Return the file at a path, `index.html` for a page route, None for a missing file."""
    if path in files:
        return files[path]
    return None if "." in path.rpartition("/")[2] else files["/index.html"]


def content_security_policy(host: str) -> str:
    """Return the page's Content-Security-Policy: own files only, and WebSockets to its host.

    The host is named because older browsers do not count its WebSockets as `'self'`.
    """
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        f"connect-src 'self'{sockets}; font-src 'self'; img-src 'self' data:; "
        "manifest-src 'self'; media-src 'self'; script-src 'self'; style-src 'self'; "
        "worker-src 'self'"
    )


def response_parts(file: File, request_headers: Any) -> tuple[dict[str, str], bytes]:
    """Return the response headers and the body for a file, gzipped if the client accepts it."""
    headers = {"Cache-Control": file.cache_control, "ETag": file.etag}
    body = file.body
    if file.gzipped is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request_headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            body = file.gzipped
    if file.media_type.startswith("text/html"):
        policy = content_security_policy(request_headers.get("host", ""))
        headers["Content-Security-Policy"] = policy
    return headers, body

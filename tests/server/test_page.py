"""HTTP responses for the files of the built page."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from mandala.server.app import make_app

Browser = TestClient[Litestar]
INDEX = '<!doctype html><script type="module" src="/assets/index-abc.js"></script>'
SCRIPT = "console.log('mandala');" * 100


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "index-abc.js").write_text(SCRIPT)
    (folder / "icon.png").write_bytes(bytes(2_000))
    (folder / "mandala.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with TestClient(make_app(database, folder=folder)) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/table/abc", "/learn/mandala/3", "/index.html"])
def test_page_routes_return_the_index(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "connect-src 'self' ws://testserver.local wss://testserver.local;" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    again = browser.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_assets_are_immutable_and_compressed(browser: Browser) -> None:
    answer = browser.get("/assets/index-abc.js", headers={"Accept-Encoding": "gzip"})
    assert answer.text == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9))
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    plain = browser.get("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
    assert plain.text == SCRIPT
    assert "content-encoding" not in plain.headers
    head = browser.head("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
    assert (head.status_code, head.content) == (200, b"")


def test_other_files_are_cached_for_ten_minutes(browser: Browser) -> None:
    icon = browser.get("/icon.png")
    assert (icon.headers["content-type"], icon.headers["cache-control"]) == (
        "image/png",
        "public, max-age=600",
    )
    assert "content-encoding" not in icon.headers
    manifest = browser.get("/mandala.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"


FOREIGN = [
    "/assets/none.js",
    "/none.txt",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
]


@pytest.mark.parametrize("path", FOREIGN)
def test_files_outside_the_page_are_not_found(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_api_paths_are_not_page_routes_and_long_responses_are_compressed(browser: Browser) -> None:
    assert browser.get("/api/nothing").json()["code"] == "not-found"
    assert browser.post("/somewhere").status_code == 405
    document = browser.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert document.headers["content-encoding"] == "gzip"
    assert document.json()["openapi"]


def test_without_a_built_page_the_server_shows_how_to_build_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with TestClient(make_app(database, folder=tmp_path / "page")) as client:
        assert "npm run build" in client.get("/").text
        assert client.get("/assets/index-abc.js").status_code == 404

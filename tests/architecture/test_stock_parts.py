"""The server uses its libraries as documented: no internal modules, no protocol subclasses."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mandala

HOME = Path(mandala.__file__).parent
SOURCES = sorted(HOME.rglob("*.py"))

# The modules that the documentation of these libraries names, as far as they are used here.
DOCUMENTED = {
    "litestar",
    "litestar.config.compression",
    "litestar.connection",
    "litestar.datastructures",
    "litestar.enums",
    "litestar.exceptions",
    "litestar.openapi.config",
    "litestar.openapi.plugins",
    "litestar.params",
    "litestar.types",
    "sqlalchemy",
    "sqlalchemy.dialects",
    "sqlalchemy.engine",
    "sqlalchemy.exc",
    "sqlalchemy.ext.asyncio",
    "uvicorn",
    "websockets.exceptions",
    "websockets.sync.client",
}
# The classes that the documentation tells to subclass: Litestar's `request_class`.
DOCUMENTED_BASES = {"Request"}
LIBRARIES = {name.split(".")[0] for name in DOCUMENTED}


def library_imports(source: str) -> dict[str, str]:
    """Return the names that a source imports from the libraries, with the modules they are from."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            found |= {alias.asname or alias.name: module for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names}
    return {name: module for name, module in found.items() if module.split(".")[0] in LIBRARIES}


def library_bases(source: str) -> set[str]:
    """Return the names of classes of the libraries that a source subclasses."""
    imported = library_imports(source)
    bases = [
        ast.unparse(base)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    ]
    names = {base: base.split("[")[0] for base in bases}
    return {
        base
        for base, name in names.items()
        if name.split(".")[0] in imported and name not in DOCUMENTED_BASES
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOME)))
def test_only_documented_parts_of_libraries_are_used(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for name, module in library_imports(source).items():
        assert module in DOCUMENTED, f"{module} is not documented"
        assert not name.startswith("_"), name
    assert not library_bases(source)


def test_undocumented_imports_and_subclasses_are_found() -> None:
    source = (
        "import uvicorn, sqlalchemy as sa\n"
        "from uvicorn.protocols.websockets.websockets_sansio_impl import Protocol as Base\n"
        "import websockets.legacy.server\n"
        "from .litestar import local\n"
        "class One(Base): pass\n"
        "class Two(uvicorn.Server): pass\n"
        "class Three(local): pass\n"
    )
    assert set(library_imports(source).values()) - DOCUMENTED == {
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "websockets.legacy.server",
    }
    assert library_bases(source) == {"Base", "uvicorn.Server"}

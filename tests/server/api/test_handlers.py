"""Every handler that is written is part of the application."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute, WebSocketRoute

import mandala.server
from mandala.server.app import make_app


def written() -> set[Callable[..., Any]]:
    """The functions of all handlers in the modules of the server."""
    found: set[Callable[..., Any]] = set()
    for each in pkgutil.walk_packages(mandala.server.__path__, "mandala.server."):
        module = importlib.import_module(each.name)
        found |= {one.fn for one in vars(module).values() if isinstance(one, BaseRouteHandler)}
    return found


def registered() -> set[Callable[..., Any]]:
    """The functions of all handlers that the application answers with."""
    found: set[Callable[..., Any]] = set()
    for route in make_app("sqlite:///unused.db").routes:
        if isinstance(route, HTTPRoute):
            found |= {handler.fn for handler in route.route_handlers}
        elif isinstance(route, WebSocketRoute):
            found.add(route.route_handler.fn)
    return found


def test_every_handler_is_registered() -> None:
    missing = written() - registered()
    assert len(written()) > 25
    assert not missing, sorted(each.__qualname__ for each in missing)

"""Records that a client sends: replays, and reasons why a move is not legal."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from mandala.server.api.requests import HttpRequest
from mandala.server.context import Context, language_of
from mandala.server.messages import Explanation, Replay, ReplayRequest, WhyRequest
from mandala.server.replays import read_one, replay_of, why_not_at


@post("/api/replays", status_code=200)
async def replay(request: HttpRequest, data: JSONBody[ReplayRequest]) -> Replay:
    """Return a record ply by ply, with all cards or from the view of a seat."""
    record = read_one(data.record)
    return await Context.of(request).run_in_thread(
        request, replay_of, record, data.view, language_of(request)
    )


@post("/api/why", status_code=200)
async def why(request: HttpRequest, data: JSONBody[WhyRequest]) -> Explanation:
    """Explain why a move is not legal after a ply of a record."""
    record, language = read_one(data.record), language_of(request)
    return await Context.of(request).run_in_thread(
        request, why_not_at, record, data.ply, data.move, language
    )


HANDLERS = [replay, why]

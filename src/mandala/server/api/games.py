"""Games, bots, rules and lessons."""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath, JSONBody

from mandala.bots.players import player_names
from mandala.games import all_games
from mandala.server.api.requests import HttpRequest
from mandala.server.context import Context, language_of
from mandala.server.lessons import answer_to, lesson_of, rules_for
from mandala.server.messages import GameInfo, LessonAnswer, LessonInfo, LessonMove, RulesInfo


@get("/api/games")
async def games() -> list[GameInfo]:
    """List the games and their possible numbers of seats."""
    return [GameInfo(id=game.id, seats=list(game.seats)) for game in all_games()]


@get("/api/players")
async def players() -> list[str]:
    """List the names of bots."""
    return player_names()


@get("/api/rules/{game:str}")
async def rules(request: HttpRequest, game: FromPath[str]) -> RulesInfo:
    """Return a summary of a game's rules."""
    return rules_for(game, language_of(request))


@get("/api/lessons/{game:str}")
async def lesson(request: HttpRequest, game: FromPath[str]) -> LessonInfo:
    """Return a game's lesson: positions in status the learner makes a move."""
    return await Context.of(request).run_in_thread(request, lesson_of, game, language_of(request))


@post("/api/lessons/{game:str}/{step:int}", status_code=200)
async def lesson_move(
    request: HttpRequest, game: FromPath[str], step: FromPath[int], data: JSONBody[LessonMove]
) -> LessonAnswer:
    """Submit a learner's move; the response says whether it is accepted, and why not."""
    return await Context.of(request).run_in_thread(
        request, answer_to, game, step, data.move, language_of(request)
    )


HANDLERS = [games, players, rules, lesson, lesson_move]

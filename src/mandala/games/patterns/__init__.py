"""Patterns (2023): all that knows this game's rules."""

from mandala.games.spec import Game

GAME = Game(
    id="patterns",
    package=__name__,
    seats=(2,),
    has_hidden_information=False,
    rules_version="1",
    has_solver=True,
)

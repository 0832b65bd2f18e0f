"""Flowers (2024): all that knows this game's rules."""

from mandala.games.spec import Game

GAME = Game(
    id="flowers",
    package=__name__,
    seats=(2, 3, 4),
    has_hidden_information=True,
    rules_version="1",
)

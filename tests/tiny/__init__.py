"""Tiny: a game of another package, the shortest that has all parts of a game.

Twelve counters lie on a heap. A seat takes 1 to 3 of them, at most as many as the die shows; then
the die is rolled for the next seat. The seat that takes the last counter wins.
"""

from mandala.games.spec import Game

GAME = Game(
    id="tiny",
    package=__name__,
    seats=(2, 3),
    has_hidden_information=False,
    rules_version="1",
)

"""What the oracles share."""

from collections import Counter
from fractions import Fraction
from typing import Protocol

COLOURS = "roygvk"


class Game(Protocol):
    """A game in progress, played by decision moves and chance moves."""

    @property
    def actor(self) -> int | None:
        """The seat that must decide, 0 for chance, None when the game is over."""

    def legal(self) -> list[str]:
        """The moves the actor may choose from, sorted; empty for chance and when over."""

    def chance(self) -> dict[str, Fraction]:
        """The possible chance moves with their probabilities; empty unless chance is next."""

    def play(self, text: str) -> None:
        """Make one move or one chance move."""

    def scores(self) -> list[int]:
        """The current points of each seat."""

    def winners(self) -> list[int]:
        """The winning seats; empty until the game is over."""

    def describe(self) -> dict[str, object]:
        """All areas of the board and all hands, as plain data."""


def show(pile: Counter[str]) -> str:
    """The cards of a pile as letters, in the order of the colours."""
    return "".join(colour * pile[colour] for colour in COLOURS)


def move_all(source: Counter[str], target: Counter[str]) -> None:
    """Put every card of one pile on another."""
    for colour in COLOURS:
        target[colour] += source[colour]
    source.clear()


def draw_chances(pile: Counter[str]) -> dict[str, Fraction]:
    """The colours that the top card of a shuffled pile may have."""
    total = pile.total()
    return {"+" + colour: Fraction(pile[colour], total) for colour in COLOURS if pile[colour] > 0}

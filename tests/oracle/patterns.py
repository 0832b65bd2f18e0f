"""The oracle of Patterns."""

from collections import Counter
from fractions import Fraction

from .base import COLOURS, draw_chances

SEATS = (1, 2)
TILES_OF_A_COLOUR = 9
ROWS = {8: "cdef", 7: "bcdefg", 6: "abcdefgh", 5: "abcdefgh"}
ROWS |= {4: "abcdefgh", 3: "abcdefgh", 2: "bcdefg", 1: "cdef"}
SPACES = [f"{file}{rank}" for rank, files in ROWS.items() for file in files]
MARKED_SPACES = ["d5", "e5", "d4", "e4"]


def opponent(seat: int) -> int:
    """The other seat."""
    return 3 - seat


def neighbours(space: str) -> list[str]:
    """The spaces next to this one, horizontally and vertically."""
    file = ord(space[0])
    rank = int(space[1])
    around = [(file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1)]
    names = [f"{chr(f)}{r}" for f, r in around]
    return [name for name in names if name in SPACES]


NEIGHBOURS = {space: neighbours(space) for space in SPACES}


class Patterns:
    """A game of Patterns.

    `stage` is "setup", "give", "turn", "last flips" or "over". `tiles` has the colour of the tile
    on each space, `owners` the seat of each tile that shows its back. A seat's `rivers` entry
    lists the colours it opened, number 1 first.
    """

    def __init__(self) -> None:
        self.bag: Counter[str] = Counter(dict.fromkeys(COLOURS, TILES_OF_A_COLOUR - 1))
        self.put_aside: Counter[str] = Counter(dict.fromkeys(COLOURS, 1))
        unmarked_spaces = [space for space in SPACES if space not in MARKED_SPACES]
        self.spaces_to_fill: list[str] = unmarked_spaces + MARKED_SPACES
        self.tiles: dict[str, str] = {}
        self.owners: dict[str, int] = {}
        self.markers: dict[str, int] = {}
        self.rivers: dict[int, list[str]] = {seat: [] for seat in SEATS}
        self.bowls: dict[int, str] = {}
        self.seat = 2
        self.stage = "setup"

    @property
    def actor(self) -> int | None:
        """The seat that must decide, 0 for chance, None when the game is over."""
        if self.stage == "over":
            return None
        if self.stage == "setup":
            return 0
        return self.seat

    def legal(self) -> list[str]:
        """The moves the actor may choose from."""
        if self.stage == "give":
            return sorted("G" + colour for colour in self._starting_tiles())
        if self.stage == "turn":
            return sorted(self._actions(self.seat))
        if self.stage == "last flips":
            return sorted([*self._flips(self.seat), "E"])
        return []

    def chance(self) -> dict[str, Fraction]:
        """The possible chance moves."""
        if self.stage != "setup":
            return {}
        return draw_chances(self._pile_to_lay_from())

    def play(self, text: str) -> None:
        """Make one move or one chance move."""
        if self.actor == 0:
            if text not in self.chance():
                raise ValueError(f"not a possible chance move: {text}")
            self._lay(text[1])
            return
        if text not in self.legal():
            raise ValueError(f"not a legal move: {text}")
        if text[0] == "G":
            self._give(text[1])
        elif text == "E":
            self.stage = "over"
        else:
            if text[0] == "O":
                self._open(text[1:])
            elif text[0] == "F":
                self._flip(text[1:])
            else:
                self._swap(text[1:])
            self._after_action()

    def scores(self) -> list[int]:
        """The points of the groups."""
        points = []
        for seat in SEATS:
            total = 0
            for number, colour in enumerate(self.rivers[seat], start=1):
                total += number * (len(self.group(seat, colour)) - 1)
            points.append(total)
        return points

    def winners(self) -> list[int]:
        """The seats with the most points; a tie is a draw."""
        if self.stage != "over":
            return []
        scores = self.scores()
        return [seat for seat in SEATS if scores[seat - 1] == max(scores)]

    def describe(self) -> dict[str, object]:
        """All areas of the board and all hands, as plain data."""
        return {
            "stage": self.stage,
            "actor": self.actor,
            "front sides": {space: self.tiles[space] for space in self._front_spaces()},
            "groups": {
                f"{colour} of seat {seat}": sorted(self.group(seat, colour))
                for seat in SEATS
                for colour in self.rivers[seat]
            },
            "markers": dict(self.markers),
            "rivers": {seat: "".join(self.rivers[seat]) for seat in SEATS},
            "bowls": dict(self.bowls),
            "starting tiles": "" if self.bowls else "".join(self._starting_tiles()),
        }

    # Setup

    def _pile_to_lay_from(self) -> Counter[str]:
        if self.spaces_to_fill[0] in MARKED_SPACES:
            return self.put_aside
        return self.bag

    def _lay(self, colour: str) -> None:
        pile = self._pile_to_lay_from()
        pile[colour] -= 1
        self.tiles[self.spaces_to_fill.pop(0)] = colour
        if not self.spaces_to_fill:
            self.stage = "give"

    def _starting_tiles(self) -> list[str]:
        return [colour for colour in COLOURS if self.put_aside[colour] > 0]

    def _give(self, colour: str) -> None:
        """Seat 1 gets this starting tile, seat 2 the other one."""
        for tile in self._starting_tiles():
            self.bowls[1 if tile == colour else 2] = tile
        self.put_aside.clear()
        self.seat = 1
        self.stage = "turn"

    # What is possible

    def _front_spaces(self) -> list[str]:
        return [space for space in SPACES if space in self.tiles and space not in self.owners]

    def group(self, seat: int, colour: str) -> list[str]:
        """The spaces of a seat's group in a colour."""
        return [
            space
            for space in SPACES
            if self.owners.get(space) == seat and self.tiles[space] == colour
        ]

    def _next_to_group(self, space: str, seat: int, colour: str) -> bool:
        """Whether the space is next to the seat's group in the colour."""
        return any(
            self.owners.get(neighbour) == seat and self.tiles[neighbour] == colour
            for neighbour in NEIGHBOURS[space]
        )

    def _opens(self, seat: int) -> list[str]:
        colour = self.bowls[seat]
        if colour in self.rivers[seat]:
            return []
        return [
            "O" + space
            for space in self._front_spaces()
            if not self._next_to_group(space, opponent(seat), colour)
        ]

    def _flips(self, seat: int) -> list[str]:
        return [
            "F" + space
            for space in self._front_spaces()
            if self._next_to_group(space, seat, self.tiles[space])
            and not self._next_to_group(space, opponent(seat), self.tiles[space])
        ]

    def _swaps(self, seat: int) -> list[str]:
        colour = self.bowls[seat]
        return [
            "X" + space
            for space in self._front_spaces()
            if self.tiles[space] != colour
            and self._next_to_group(space, seat, colour)
            and not self._next_to_group(space, opponent(seat), colour)
        ]

    def _actions(self, seat: int) -> list[str]:
        return self._opens(seat) + self._flips(seat) + self._swaps(seat)

    # The actions

    def _exchange(self, space: str) -> None:
        """The exchange tile takes the space, back side up; the tile there goes into the bowl."""
        taken = self.tiles[space]
        self.tiles[space] = self.bowls[self.seat]
        self.owners[space] = self.seat
        self.bowls[self.seat] = taken

    def _open(self, space: str) -> None:
        self.rivers[self.seat].append(self.bowls[self.seat])
        self.markers[space] = len(self.rivers[self.seat])
        self._exchange(space)

    def _flip(self, space: str) -> None:
        self.owners[space] = self.seat

    def _swap(self, space: str) -> None:
        self._exchange(space)

    def _after_action(self) -> None:
        if self.stage == "turn":
            if self._actions(opponent(self.seat)):
                self.seat = opponent(self.seat)
                return
            self.stage = "last flips"
        if not self._flips(self.seat):
            self.stage = "over"

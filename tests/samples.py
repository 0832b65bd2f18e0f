"""Games with their numbers of seats, and small records, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from mandala.games import all_games, find_game, game_ids

T = TypeVar("T")

# Every game with every number of seats.
SEATINGS = [(game.id, seats) for game in all_games() for seats in game.seats]
HIDDEN_SEATINGS = [each for each in SEATINGS if find_game(each[0]).has_hidden_information]
# Every game once, with its largest number of seats or one in the middle.
MOST_SEATS = [(game.id, game.seats[-1]) for game in all_games()]
MIDDLE_SEATS = [(game.id, game.seats[len(game.seats) // 2]) for game in all_games()]

# Mandala, unfinished: the example of the rules page. Seat 1 has one point, seat 2 has two, and seat
# 2 is to move.
MANDALA_SETUP = "+gv +ro +yykrgo+vk +rroygv+gk"
MANDALA_MOVES = f"{MANDALA_SETUP} A1g+oyr B1rr B1yyy A1o+kvg A1k+gyv Tg Tv To Tk+ry"
# The same as seat 2 and as a spectator saw it.
MANDALA_SEAT_2 = "+gv +ro +??????+?? +rroygv+gk A1g+??? B1rr B1yyy A1o+kvg A1k+??? Tg Tv To Tk+ry"
MANDALA_SPECTATOR = (
    "+gv +ro +??????+?? +??????+?? A1g+??? B1rr B1yyy A1o+??? A1k+??? Tg Tv To Tk+ry"
)

# Patterns: after Oc6 seat 2 is stopped; seat 1 may flip c5, which wins 2 to 0, or stop at 0 to 0.
PATTERNS_SETUP = "+royg +rkvkro +yygvgvkr +oorygv +krvoyo +gvkroyyr +gvkoyg +vkgk +oygv"
PATTERNS_END = f"{PATTERNS_SETUP} Gk Oh3 Ob7 Oc6"
PATTERNS_WON = f"{PATTERNS_END} Fc5"
PATTERNS_DRAWN = f"{PATTERNS_END} E"

# Flowers for three, dealt; nobody has a point, seat 3 has the most cards.
FLOWERS_TILES = "*k7*g3 *r2*yx *v5*o4"
FLOWERS_DEALT = f"{FLOWERS_TILES} +rrgoy +kvvoyg +rgykovv"


def expected_of(game: str, expected: Mapping[str, T]) -> T:
    """Return what a test expects of a game."""
    assert game in expected, f"{game} is missing: write down here what is expected of it"
    return expected[game]


def text_of(game: str, moves: str, **tags: str) -> str:
    """Return a record as text: the standard tags, the given tags, and the moves."""
    version = find_game(game).rules_version if game in game_ids() else "1"
    own = {"Game": game, "Rules": version, "Seats": "2", **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in own.items()) + f"\n{moves}\n"

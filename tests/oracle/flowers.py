"""The oracle of Flowers."""

from collections import Counter
from fractions import Fraction

from .base import COLOURS, draw_chances, move_all, show

CARDS_OF_A_COLOUR = 15
VALUES = "23457x"
DARK_COLOURS = "kvr"
LIGHT_COLOURS = "goy"
HAND_LIMIT = 8
FLOWERS_TO_END = 3


def flower_points(one: str, two: str) -> int:
    """The points of a flower made of two tiles."""
    if one[1] == "x":
        return 3 * int(two[1])
    if two[1] == "x":
        return 3 * int(one[1])
    values = [int(one[1]), int(two[1])]
    return 2 * min(values) + max(values)


def tile_points(tile: str) -> int:
    """The points of a single tile."""
    return 0 if tile[1] == "x" else int(tile[1])


class Area:
    """One mandala: its tiles, its marker (0: in the middle) and the cards of each seat."""

    def __init__(self, seats: int) -> None:
        self.tiles: list[str] = []
        self.marker = 0
        self.face_up: dict[int, Counter[str]] = {s: Counter() for s in range(1, seats + 1)}
        self.face_down: dict[int, Counter[str]] = {s: Counter() for s in range(1, seats + 1)}

    def shows(self) -> set[str]:
        """The colours on the tiles and on face-up cards."""
        colours = {tile[0] for tile in self.tiles}
        for cards in self.face_up.values():
            colours |= {colour for colour in COLOURS if cards[colour] > 0}
        return colours

    def cards(self, seat: int) -> int:
        """How many cards the seat has here, face up and face down."""
        return self.face_up[seat].total() + self.face_down[seat].total()

    def face_up_cards(self, seat: int) -> int:
        """How many cards the seat has here face up."""
        return self.face_up[seat].total()


class Flowers:
    """A game of Flowers.

    `stage` is "setup", "play", "draw", "claim", "new mandala", "choose mandala" or "over".
    `tile_draws` lists the mandalas that wait for a tile and its back, `card_draws` the seats that
    wait for a card; tiles come first.
    """

    def __init__(self, seats: int) -> None:
        if seats not in (2, 3, 4):
            raise ValueError("flowers is played with two to four seats")
        self.seats = seats
        self.dark_stack: list[str] = [c + v for c in DARK_COLOURS for v in VALUES]
        self.light_stack: list[str] = [c + v for c in LIGHT_COLOURS for v in VALUES]
        self.draw_pile: Counter[str] = Counter(dict.fromkeys(COLOURS, CARDS_OF_A_COLOUR))
        self.discard_pile: Counter[str] = Counter()
        self.mandalas: dict[int, Area] = {number: Area(seats) for number in (1, 2, 3)}
        self.hands: dict[int, Counter[str]] = {seat: Counter() for seat in self._all_seats()}
        self.single_tiles: dict[int, list[str]] = {seat: [] for seat in self._all_seats()}
        self.flowers: dict[int, list[tuple[str, str]]] = {seat: [] for seat in self._all_seats()}
        self.unclaimed_tiles: list[str] = []
        self.seat = 1
        self.mandala = 0
        self.passes_in_a_row = 0
        self.game_end = False
        self.stage = "setup"
        self.tile_draws: list[tuple[int, str]] = []
        for number in (1, 2, 3):
            self.tile_draws += [(number, "dark"), (number, "light")]
        self.card_draws: list[int] = []
        for seat in self._all_seats():
            self.card_draws += [seat] * (4 + seat)

    @property
    def actor(self) -> int | None:
        """The seat that must decide, 0 for chance, None when the game is over."""
        if self.stage == "over":
            return None
        if self.tile_draws or self.card_draws or self.stage == "choose mandala":
            return 0
        if self.stage == "claim":
            return self.mandalas[self.mandala].marker
        return self.seat

    def legal(self) -> list[str]:
        """The moves the actor may choose from."""
        if self.stage == "play":
            plays = self._plays()
            return sorted(plays) if plays else ["-"]
        if self.stage == "claim":
            return sorted("T" + tile for tile in self.mandalas[self.mandala].tiles)
        return []

    def chance(self) -> dict[str, Fraction]:
        """The possible chance moves."""
        if self.actor != 0:
            return {}
        if self.tile_draws:
            stack = self._stack(self.tile_draws[0][1])
            return {"*" + tile: Fraction(1, len(stack)) for tile in stack}
        if self.card_draws:
            return draw_chances(self.draw_pile)
        return {f"!{number}": Fraction(1, len(self.mandalas)) for number in sorted(self.mandalas)}

    def play(self, text: str) -> None:
        """Make one move or one chance move."""
        if self.actor == 0:
            if text not in self.chance():
                raise ValueError(f"not a possible chance move: {text}")
            if text[0] == "*":
                self._draw_tile(text[1:])
            elif text[0] == "+":
                self._draw_card(text[1])
            else:
                self._dissolve(int(text[1]))
            return
        if text not in self.legal():
            raise ValueError(f"not a legal move: {text}")
        if text == "-":
            self._pass()
        elif text[0] == "T":
            self._claim(text[1:])
        else:
            self._play_cards(int(text[0]), text[1], len(text) - 1)

    def scores(self) -> list[int]:
        """The points of single tiles and flowers."""
        points = []
        for seat in self._all_seats():
            singles = sum(tile_points(tile) for tile in self.single_tiles[seat])
            flowers = sum(flower_points(one, two) for one, two in self.flowers[seat])
            points.append(singles + flowers)
        return points

    def winners(self) -> list[int]:
        """The seats with the most points, then with more hand cards."""
        if self.stage != "over":
            return []
        scores = self.scores()
        best = [seat for seat in self._all_seats() if scores[seat - 1] == max(scores)]
        most_cards = max(self.hands[seat].total() for seat in best)
        return [seat for seat in best if self.hands[seat].total() == most_cards]

    def describe(self) -> dict[str, object]:
        """All areas of the board and all hands, as plain data."""
        return {
            "stage": self.stage,
            "actor": self.actor,
            "seat": self.seat,
            "draw pile": show(self.draw_pile),
            "discard pile": show(self.discard_pile),
            "dark stack": list(self.dark_stack),
            "light stack": list(self.light_stack),
            "mandalas": {
                number: {
                    "tiles": list(area.tiles),
                    "marker": area.marker,
                    "face up": {seat: show(area.face_up[seat]) for seat in self._all_seats()},
                    "face down": {seat: show(area.face_down[seat]) for seat in self._all_seats()},
                }
                for number, area in sorted(self.mandalas.items())
            },
            "hands": {seat: show(self.hands[seat]) for seat in self._all_seats()},
            "single tiles": {seat: list(self.single_tiles[seat]) for seat in self._all_seats()},
            "flowers": {seat: list(self.flowers[seat]) for seat in self._all_seats()},
            "unclaimed tiles": list(self.unclaimed_tiles),
            "passes in a row": self.passes_in_a_row,
            "game end": self.game_end,
            "tile draws to come": list(self.tile_draws),
            "card draws to come": list(self.card_draws),
        }

    def _all_seats(self) -> range:
        return range(1, self.seats + 1)

    def _stack(self, back: str) -> list[str]:
        return self.dark_stack if back == "dark" else self.light_stack

    # Step 1: play

    def _plays(self) -> list[str]:
        hand = self.hands[self.seat]
        nothing_to_draw = self.draw_pile.total() == 0 and self.discard_pile.total() == 0
        plays = []
        for number in sorted(self.mandalas):
            for colour in COLOURS:
                for count in range(1, hand[colour] + 1):
                    whole_hand = count == hand.total()
                    if whole_hand and (count >= 2 or nothing_to_draw):
                        continue
                    plays.append(f"{number}{colour * count}")
        return plays

    def _play_cards(self, number: int, colour: str, count: int) -> None:
        area = self.mandalas[number]
        hand = self.hands[self.seat]
        self.passes_in_a_row = 0
        self.mandala = number
        colour_is_new = colour not in area.shows()
        hand[colour] -= count
        if colour_is_new:
            area.face_up[self.seat][colour] += count
        else:
            area.face_down[self.seat][colour] += count
        self.stage = "draw"
        if count == 1 and hand.total() < HAND_LIMIT:
            self.card_draws = [self.seat] * min(4, HAND_LIMIT - hand.total())
        self._continue_draws()

    def _pass(self) -> None:
        self.passes_in_a_row += 1
        if self.passes_in_a_row == self.seats:
            self._end_game()
        else:
            self._end_turn()

    # Step 2: draw

    def _draw_card(self, colour: str) -> None:
        seat = self.card_draws.pop(0)
        self.draw_pile[colour] -= 1
        self.hands[seat][colour] += 1
        self._continue_draws()

    def _draw_tile(self, tile: str) -> None:
        number, back = self.tile_draws.pop(0)
        self._stack(back).remove(tile)
        self.mandalas[number].tiles.append(tile)
        self._continue_draws()

    def _continue_draws(self) -> None:
        """Wait for the next tile or card, or continue the turn if none is due or none is left."""
        if self.tile_draws:
            return
        if self.card_draws and self.draw_pile.total() == 0:
            move_all(self.discard_pile, self.draw_pile)
            if self.draw_pile.total() == 0:
                self.card_draws = []
        if self.card_draws:
            return
        if self.stage == "setup":
            self.stage = "play"
        elif self.stage == "draw":
            self._check_majority()
            self._check_completion()
        else:
            self._end_turn()

    # Steps 3 and 4: majority and completion

    def _check_majority(self) -> None:
        area = self.mandalas[self.mandala]
        if area.face_up_cards(self.seat) == 0:
            return
        for other in self._all_seats():
            if other == self.seat or area.face_up_cards(other) == 0:
                continue
            if area.cards(other) >= area.cards(self.seat):
                return
        area.marker = self.seat

    def _check_completion(self) -> None:
        if len(self.mandalas[self.mandala].shows()) == len(COLOURS):
            self._dissolve(self.mandala)
        else:
            self._end_turn()

    # Dissolving

    def _dissolve(self, number: int) -> None:
        self.mandala = number
        if self.mandalas[number].marker == 0:
            self._clear_cards([])
        else:
            self.stage = "claim"

    def _claim(self, tile: str) -> None:
        """The marker's holder takes this tile; the second seat, or the holder, gets the other."""
        area = self.mandalas[self.mandala]
        holder = area.marker
        second = self._second_seat(area)
        getter = holder if second is None else second
        area.tiles.remove(tile)
        self._receive_tile(holder, tile)
        self._receive_tile(getter, area.tiles.pop())
        self._clear_cards([holder, getter])

    def _second_seat(self, area: Area) -> int | None:
        """The seat that gets the second tile, or None."""
        holder = area.marker
        others = [
            seat for seat in self._all_seats() if seat != holder and area.face_up_cards(seat) > 0
        ]
        if not others:
            return None
        most = max(area.cards(seat) for seat in others)
        level = [seat for seat in others if area.cards(seat) == most]
        most_face_up = max(area.face_up_cards(seat) for seat in level)
        level = [seat for seat in level if area.face_up_cards(seat) == most_face_up]
        if len(level) > 1:
            return None
        if self.seats == 2 and 2 * area.cards(level[0]) < area.cards(holder):
            return None
        return level[0]

    def _receive_tile(self, seat: int, tile: str) -> None:
        """A seat gets a tile and pairs it with a single one of the same colour."""
        for single in self.single_tiles[seat]:
            if single[0] == tile[0]:
                self.single_tiles[seat].remove(single)
                self.flowers[seat].append((single, tile))
                return
        self.single_tiles[seat].append(tile)

    def _clear_cards(self, got_a_tile: list[int]) -> None:
        area = self.mandalas[self.mandala]
        for seat in self._all_seats():
            target = self.discard_pile if seat in got_a_tile else self.hands[seat]
            move_all(area.face_up[seat], target)
            move_all(area.face_down[seat], target)
        self._after_dissolving()

    def _after_dissolving(self) -> None:
        """Start a new mandala if the rules want one."""
        self.unclaimed_tiles += self.mandalas[self.mandala].tiles
        del self.mandalas[self.mandala]
        if self.game_end:
            self._choose_next_mandala()
        elif self._third_flower_formed():
            self._end_turn()
        elif not self.dark_stack or not self.light_stack:
            self._end_game()
        else:
            self.mandalas[self.mandala] = Area(self.seats)
            self.tile_draws = [(self.mandala, "dark"), (self.mandala, "light")]
            self.stage = "new mandala"

    # End of turn, end of game

    def _third_flower_formed(self) -> bool:
        return any(len(self.flowers[seat]) >= FLOWERS_TO_END for seat in self._all_seats())

    def _end_turn(self) -> None:
        round_is_over = self.seat == self.seats
        if round_is_over and self._third_flower_formed():
            self._end_game()
            return
        self.seat = 1 if round_is_over else self.seat + 1
        self.stage = "play"

    def _end_game(self) -> None:
        """Dissolve the remaining mandalas one after the other, in random order."""
        self.game_end = True
        self._choose_next_mandala()

    def _choose_next_mandala(self) -> None:
        self.stage = "choose mandala" if self.mandalas else "over"

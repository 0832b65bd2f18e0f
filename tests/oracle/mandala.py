"""The oracle of Mandala."""

from collections import Counter
from fractions import Fraction

from .base import COLOURS, draw_chances, move_all, show

SEATS = (1, 2)
MANDALAS = (1, 2)
CARDS_OF_A_COLOUR = 18
HAND_LIMIT = 8
MAX_DISCARDS_IN_A_ROW = 40


def opponent(seat: int) -> int:
    """The other seat."""
    return 3 - seat


class Mandala:
    """A game of Mandala.

    `stage` is the current stage: "setup", "turn", "action A", "action C", "dissolve", "refill" or
    "over". `draws` lists the areas that wait for a card from the draw pile, the next one first.
    """

    def __init__(self) -> None:
        self.draw_pile: Counter[str] = Counter(dict.fromkeys(COLOURS, CARDS_OF_A_COLOUR))
        self.discard_pile: Counter[str] = Counter()
        self.centres: dict[int, Counter[str]] = {mandala: Counter() for mandala in MANDALAS}
        self.fields: dict[tuple[int, int], Counter[str]] = {
            (mandala, seat): Counter() for mandala in MANDALAS for seat in SEATS
        }
        self.hands: dict[int, Counter[str]] = {seat: Counter() for seat in SEATS}
        self.cups: dict[int, Counter[str]] = {seat: Counter() for seat in SEATS}
        self.rivers: dict[int, list[str]] = {seat: [] for seat in SEATS}
        self.last_phase = False
        self.discards_in_a_row = 0
        self.seat = 1
        self.mandala = 0
        self.chooser = 0
        self.stage = "setup"
        self.draws: list[Counter[str]] = [self.centres[1]] * 2 + [self.centres[2]] * 2
        for seat in SEATS:
            self.draws += [self.hands[seat]] * 6 + [self.cups[seat]] * 2

    @property
    def actor(self) -> int | None:
        """The seat that must decide, 0 for chance, None when the game is over."""
        if self.stage == "over":
            return None
        if self.draws:
            return 0
        if self.stage == "dissolve":
            return self.chooser
        return self.seat

    def legal(self) -> list[str]:
        """The moves the actor may choose from."""
        if self.stage == "turn":
            return sorted(self._actions_a() + self._actions_b() + self._actions_c())
        if self.stage == "dissolve":
            centre = self.centres[self.mandala]
            return sorted("T" + colour for colour in COLOURS if centre[colour] > 0)
        return []

    def chance(self) -> dict[str, Fraction]:
        """The possible chance moves."""
        if self.actor != 0:
            return {}
        return draw_chances(self.draw_pile)

    def play(self, text: str) -> None:
        """Make one move or one chance move."""
        if self.actor == 0:
            if text not in self.chance():
                raise ValueError(f"not a possible chance move: {text}")
            self._draw(text[1])
            return
        if text not in self.legal():
            raise ValueError(f"not a legal move: {text}")
        if text[0] == "A":
            self._action_a(int(text[1]), text[2])
        elif text[0] == "B":
            self._action_b(int(text[1]), text[2], len(text) - 2)
        elif text[0] == "C":
            self._action_c(text[1], len(text) - 1)
        else:
            self._take(text[1])

    def scores(self) -> list[int]:
        """The points of the cups."""
        points = []
        for seat in SEATS:
            river = self.rivers[seat]
            cup = self.cups[seat]
            points.append(sum(place * cup[colour] for place, colour in enumerate(river, start=1)))
        return points

    def winners(self) -> list[int]:
        """The seats with the most points, then with fewer cards in the cup."""
        if self.stage != "over":
            return []
        scores = self.scores()
        if scores[0] != scores[1]:
            return [1] if scores[0] > scores[1] else [2]
        cup_sizes = [self.cups[1].total(), self.cups[2].total()]
        if cup_sizes[0] != cup_sizes[1]:
            return [1] if cup_sizes[0] < cup_sizes[1] else [2]
        return [1, 2]

    def describe(self) -> dict[str, object]:
        """All areas of the board and all hands, as plain data."""
        return {
            "stage": self.stage,
            "actor": self.actor,
            "seat": self.seat,
            "draw pile": show(self.draw_pile),
            "discard pile": show(self.discard_pile),
            "centres": {mandala: show(self.centres[mandala]) for mandala in MANDALAS},
            "fields": {
                f"{mandala} of seat {seat}": show(self.fields[mandala, seat])
                for mandala in MANDALAS
                for seat in SEATS
            },
            "hands": {seat: show(self.hands[seat]) for seat in SEATS},
            "cups": {seat: show(self.cups[seat]) for seat in SEATS},
            "rivers": {seat: "".join(self.rivers[seat]) for seat in SEATS},
            "last phase": self.last_phase,
            "discards in a row": self.discards_in_a_row,
            "draws to come": len(self.draws),
        }

    # The three actions

    def _golden_rule_centre(self, mandala: int, colour: str) -> bool:
        """Whether the colour may be played to the centre."""
        return all(self.fields[mandala, seat][colour] == 0 for seat in SEATS)

    def _golden_rule_field(self, mandala: int, seat: int, colour: str) -> bool:
        """Whether the colour may be played to the seat's field."""
        in_centre = self.centres[mandala][colour] > 0
        in_other_field = self.fields[mandala, opponent(seat)][colour] > 0
        return not in_centre and not in_other_field

    def _actions_a(self) -> list[str]:
        hand = self.hands[self.seat]
        nothing_to_draw = self.draw_pile.total() == 0 and self.discard_pile.total() == 0
        if hand.total() == 1 and nothing_to_draw:
            return []
        return [
            f"A{mandala}{colour}"
            for mandala in MANDALAS
            for colour in COLOURS
            if hand[colour] > 0 and self._golden_rule_centre(mandala, colour)
        ]

    def _actions_b(self) -> list[str]:
        hand = self.hands[self.seat]
        return [
            f"B{mandala}{colour * count}"
            for mandala in MANDALAS
            for colour in COLOURS
            for count in range(1, hand[colour] + 1)
            if count < hand.total() and self._golden_rule_field(mandala, self.seat, colour)
        ]

    def _actions_c(self) -> list[str]:
        hand = self.hands[self.seat]
        return ["C" + colour * count for colour in COLOURS for count in range(1, hand[colour] + 1)]

    def _action_a(self, mandala: int, colour: str) -> None:
        hand = self.hands[self.seat]
        self.discards_in_a_row = 0
        self.mandala = mandala
        hand[colour] -= 1
        self.centres[mandala][colour] += 1
        self.stage = "action A"
        self.draws = [hand] * min(3, HAND_LIMIT - hand.total())
        self._continue_draws()

    def _action_b(self, mandala: int, colour: str, count: int) -> None:
        self.discards_in_a_row = 0
        self.mandala = mandala
        self.hands[self.seat][colour] -= count
        self.fields[mandala, self.seat][colour] += count
        self._check_completion()

    def _action_c(self, colour: str, count: int) -> None:
        hand = self.hands[self.seat]
        self.discards_in_a_row += 1
        hand[colour] -= count
        self.discard_pile[colour] += count
        self.stage = "action C"
        self.draws = [hand] * count
        self._continue_draws()

    # Drawing

    def _draw(self, colour: str) -> None:
        """One card goes from the draw pile to the area that waits for it."""
        area = self.draws.pop(0)
        self.draw_pile[colour] -= 1
        area[colour] += 1
        if self.draw_pile.total() == 0:
            self.last_phase = True
            self._shuffle()
        self._continue_draws()

    def _shuffle(self) -> None:
        """The discard pile becomes the draw pile."""
        move_all(self.discard_pile, self.draw_pile)

    def _continue_draws(self) -> None:
        """Wait for the next card, or continue the turn if none is due or none is left."""
        if self.draws and self.draw_pile.total() == 0:
            self._shuffle()
            if self.draw_pile.total() == 0:
                self.draws = []
        if self.draws:
            return
        if self.stage == "setup":
            self.stage = "turn"
        elif self.stage == "action A":
            self._check_completion()
        else:
            self._end_turn()

    # Completion and dissolving

    def _colours_in(self, mandala: int) -> set[str]:
        cards = self.centres[mandala] + self.fields[mandala, 1] + self.fields[mandala, 2]
        return {colour for colour in COLOURS if cards[colour] > 0}

    def _check_completion(self) -> None:
        if len(self._colours_in(self.mandala)) < len(COLOURS):
            self._end_turn()
            return
        own = self.fields[self.mandala, self.seat].total()
        other = self.fields[self.mandala, opponent(self.seat)].total()
        self.chooser = self.seat if own > other else opponent(self.seat)
        self.stage = "dissolve"
        if self.centres[self.mandala].total() == 0:
            self._centre_distributed()

    def _take(self, colour: str) -> None:
        """The chooser takes all cards of one colour out of the centre."""
        centre = self.centres[self.mandala]
        count = centre[colour]
        centre[colour] = 0
        if self.fields[self.mandala, self.chooser].total() == 0:
            self.discard_pile[colour] += count
        else:
            river = self.rivers[self.chooser]
            if colour not in river:
                river.append(colour)
                count -= 1
            self.cups[self.chooser][colour] += count
        self.chooser = opponent(self.chooser)
        if centre.total() == 0:
            self._centre_distributed()

    def _centre_distributed(self) -> None:
        for seat in SEATS:
            move_all(self.fields[self.mandala, seat], self.discard_pile)
        a_river_is_full = any(len(self.rivers[seat]) == len(COLOURS) for seat in SEATS)
        if self.last_phase or a_river_is_full:
            self._end_game()
            return
        self.stage = "refill"
        self.draws = [self.centres[self.mandala]] * 2
        self._continue_draws()

    # End of turn, end of game

    def _end_turn(self) -> None:
        self.stage = "turn"
        self.seat = opponent(self.seat)
        if self._dead_position() or self.discards_in_a_row >= MAX_DISCARDS_IN_A_ROW:
            self._end_game()

    def _dead_position(self) -> bool:
        """Every mandala lacks a colour that is in no hand, draw pile or discard pile."""
        to_come = self.hands[1] + self.hands[2] + self.draw_pile + self.discard_pile
        for mandala in MANDALAS:
            present = self._colours_in(mandala)
            missing = [colour for colour in COLOURS if colour not in present]
            if all(to_come[colour] > 0 for colour in missing):
                return False
        return True

    def _end_game(self) -> None:
        """Discard all hands and all cards in the mandalas."""
        self.stage = "over"
        for seat in SEATS:
            move_all(self.hands[seat], self.discard_pile)
        for mandala in MANDALAS:
            move_all(self.centres[mandala], self.discard_pile)
            for seat in SEATS:
                move_all(self.fields[mandala, seat], self.discard_pile)

"""Records of honest and of cheating servers, for all programs that verify deals.

`python -m tests.live.fair_vectors` writes them to `fair_vectors.json`, which the tests of the page
read too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mandala
from mandala import Position
from mandala.live import fair

FILE = Path(__file__).with_suffix(".json")
SECRET = bytes(range(32))
SHARES = {1: bytes([0x11]) * 32, 2: bytes([0x22]) * 32}
OTHER_SHARES = {1: bytes([0x33]) * 32, 2: SHARES[2]}
COMMITMENT = fair.commitment_of(SECRET).hex()


@dataclass
class Dealer:
    """A server that deals a game of Mandala; `number` is the next chance number it uses."""

    shares: dict[int, bytes] = field(default_factory=lambda: SHARES)
    number: int = 0
    boards: list[Position] = field(default_factory=lambda: [mandala.new("mandala")])
    # For each ply that stands its chance number and its place in `listed`, None for decisions.
    numbers: list[tuple[int, int] | None] = field(default_factory=list)
    lines: list[tuple[int, list[str], list[tuple[int, int] | None]]] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)  # as `mandala verify --draws` lists draws
    choices: random.Random = field(default_factory=lambda: random.Random(7))

    @property
    def moves(self) -> list[str]:
        """The moves and draws that stand."""
        return self.boards[-1].moves

    def draw(self, *, forge: bool = False) -> None:
        """Make the next chance move, or one that its number does not give."""
        before = self.boards[-1]
        weights = before.chance_weights
        move = fair.outcome(fair.key_of(SECRET, self.shares), self.number, weights)
        if forge:
            move = next(other for other in weights if other != move)
        self.boards.append(before.play(move))
        self.numbers.append((self.number, len(self.listed)))
        listed = " ".join(f"{each}:{weight}" for each, weight in weights.items())
        self.listed.append(f"{len(self.listed)} {move} {listed}")
        self.number += 1

    def deal(self) -> None:
        """Make all pending chance moves."""
        while self.boards[-1].actor == 0:
            self.draw()

    def decide(self, count: int = 1) -> None:
        """Make decisions, each with the draws after it; the last one is followed by draws."""
        for place in range(count):
            legal = self.boards[-1].legal
            draws = [move for move in legal if self.boards[-1].play(move).actor == 0]
            self.boards.append(self.boards[-1].play(self.choices.choice(draws or legal)))
            self.numbers.append(None)
            assert self.boards[-1].actor == 0 or place < count - 1
            self.deal()

    def take_back(self, plies: int) -> None:
        """Take back all moves after a number of plies."""
        self.lines.append((plies, self.moves[plies:], self.numbers[plies:]))
        del self.boards[plies + 1 :]
        del self.numbers[plies:]

    def record(self, *, drawn: int | None = None) -> mandala.Record:
        """Return the record of the game, which seat 1 resigns."""
        lines = [fair.TakenLine(plies, tuple(moves)) for plies, moves, _ in self.lines]
        numbers = [each[0] for each in self.numbers if each is not None]
        drawn = self.number if drawn is None else drawn
        tags = fair.tags_of(SECRET, self.shares, numbers, lines, drawn)
        if lines:
            tags["Takebacks"] = str(len(lines))
        whole = self.boards[-1].record({**tags, "Termination": "resigned 1"})
        scores = "-".join(map(str, self.boards[-1].scores))
        return mandala.Record({**whole.tags, "Result": scores, "Winner": "2"}, whole.moves)

    def proof(self, *, drawn: int | None = None) -> dict[str, Any]:
        """Return the proof that the server of this dealer sends to the page."""
        drawn = self.number if drawn is None else drawn

        def draws(
            plies: int, moves: list[str], numbers: list[tuple[int, int] | None]
        ) -> list[dict[str, Any]]:
            found = []
            for ply, (move, each) in enumerate(zip(moves, numbers, strict=True), start=plies + 1):
                if each is not None:
                    number, place = each
                    pairs = [pair.rsplit(":", 1) for pair in self.listed[place].split()[2:]]
                    outcomes, weights = [name for name, _ in pairs], [int(n) for _, n in pairs]
                    one = {"number": number, "ply": ply, "move": move}
                    found.append({**one, "outcomes": outcomes, "weights": weights})
            return found

        return {
            "commitment": COMMITMENT,
            "secret": SECRET.hex(),
            "shares": {str(seat): share.hex() for seat, share in self.shares.items()},
            "given": 0,
            "draws": draws(0, self.moves, self.numbers),
            "taken_back": [
                {"plies": plies, "moves": moves, "draws": draws(plies, moves, numbers)}
                for plies, moves, numbers in self.lines
            ],
            "drawn": drawn,
        }


def started() -> Dealer:
    """A dealer after the setup and three decisions."""
    dealer = Dealer()
    dealer.deal()
    dealer.decide(3)
    return dealer


def with_takebacks() -> Dealer:
    """A dealer after an honest game with three takebacks, one inside a line taken back later."""
    dealer = started()
    first = len(dealer.moves)
    dealer.decide()
    second = len(dealer.moves)
    dealer.decide()
    dealer.take_back(second)
    dealer.decide()
    dealer.take_back(first)
    dealer.decide(3)
    third = len(dealer.moves)
    dealer.decide()
    dealer.take_back(third)
    dealer.decide(2)
    return dealer


def _vector(
    verdict: str,
    dealer: Dealer,
    change: Callable[[dict[str, str]], dict[str, str]] = dict,
    *,
    drawn: int | None = None,
    page: str | None = None,
    share: bytes = SHARES[1],
    commitment: str = COMMITMENT,
) -> dict[str, Any]:
    record, proof = dealer.record(drawn=drawn), dealer.proof(drawn=drawn)
    record = mandala.Record(change(dict(record.tags)), record.moves)
    if fair.DRAWN_TAG not in record.tags:
        proof["taken_back"] = []
    return {
        "verdict": verdict,  # "ok", "older" or an error code
        "page": verdict if page is None else page,
        "noted": {"commitment": commitment, "share": share.hex()},
        "record": str(record),
        "draws": "\n".join(dealer.listed) + "\n",
        "proof": proof,
    }


def _without(*names: str) -> Callable[[dict[str, str]], dict[str, str]]:
    return lambda tags: {name: value for name, value in tags.items() if name not in names}


def vectors() -> dict[str, dict[str, Any]]:
    """Return all vectors by name."""
    found = {
        "an honest game": _vector("ok", started()),
        "an honest game with lines taken back": _vector("ok", with_takebacks()),
    }

    dealer = started()
    dealer.number += 1
    dealer.decide(2)
    found["a skipped number"] = _vector("fair-skipped", dealer)
    found["a skipped number, with a false count"] = _vector(
        "fair-skipped", dealer, drawn=dealer.number - 1
    )
    dealer = started()
    found["a skipped number at the end"] = _vector("fair-skipped", dealer, drawn=dealer.number + 1)

    dealer = started()
    plies, number = len(dealer.moves), dealer.number
    dealer.decide()
    dealer.take_back(plies)
    dealer.number = number
    dealer.choices.seed(8)
    dealer.decide(2)
    found["a repeated number"] = _vector("fair-repeated", dealer)

    dealer = started()
    dealer.boards.append(dealer.boards[-1].play(with_takebacks().moves[len(dealer.moves)]))
    dealer.numbers.append(None)
    dealer.draw(forge=True)
    dealer.deal()
    found["a number used for another outcome"] = _vector("fair-draw", dealer)

    dealer = Dealer(number=44)
    dealer.deal()
    dealer.decide(2)
    found["44 numbers skipped before the setup"] = _vector("fair-setup", dealer)
    older = _without("Drawn", "TakenBack")
    found["44 numbers skipped before the setup, in the older form"] = _vector(
        "fair-setup", dealer, lambda tags: {**older(tags), "Takebacks": "1"}
    )
    dealer = Dealer()
    for _ in range(5):
        dealer.draw()
    dealer.number += 1
    dealer.deal()
    dealer.decide(2)
    found["a gap in the setup"] = _vector("fair-setup", dealer)

    dealer = Dealer()
    dealer.deal()
    dealer.take_back(8)
    dealer.deal()
    dealer.decide(2)
    found["a setup taken back"] = _vector("fair-takeback", dealer)

    found |= _missing_lines()

    dealer = with_takebacks()
    found["an older record with takebacks"] = _older(dealer, older)
    dealer = started()
    found["an older record without takebacks"] = _vector("ok", dealer, older)
    dealer.number += 1
    dealer.decide(2)
    found["an older record with a gap but no takeback"] = _vector("fair-skipped", dealer, older)

    found["a noted commitment that differs"] = _vector(
        "fair-noted-commitment", started(), commitment="ab" * 32
    )
    dealer = Dealer(shares=OTHER_SHARES)
    dealer.deal()
    found["an own share that was exchanged"] = _vector("fair-noted-share", dealer)
    return found


def _missing_lines() -> dict[str, dict[str, Any]]:
    """Honest games from which the server has removed a line taken back."""
    whole = with_takebacks()
    lines = [fair.TakenLine(plies, tuple(moves)) for plies, moves, _ in whole.lines]
    proof = whole.proof()
    shown = {**proof, "taken_back": proof["taken_back"][:2]}
    found = {}
    for name, verdict, count in (
        ("a missing line", "fair-lines", "3"),
        ("a missing line, with a false count", "fair-skipped", "2"),
    ):
        tags = {"TakenBack": fair.format_lines(lines[:2]), "Takebacks": count}
        vector = _vector(verdict, whole, tags.__ror__, page="fair-skipped")
        found[name] = {**vector, "proof": shown}
    return found


def _older(dealer: Dealer, older: Callable[[dict[str, str]], dict[str, str]]) -> dict[str, Any]:
    """An honest game with takebacks whose record does not contain the lines."""
    vector = _vector("older", dealer, older, page="fair-skipped")
    listed = [dealer.listed[each[1]] for each in dealer.numbers if each is not None]
    return {**vector, "draws": "\n".join(listed) + "\n"}


def text() -> str:
    """Return all vectors as the text of the file."""
    each = (f"{json.dumps(name)}: {json.dumps(one)}" for name, one in vectors().items())
    return "{\n" + ",\n".join(each) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")

"""Decides exactly whether a full position contradicts a seat's record.

The record leaves the colours of other seats' draws open (`?`). A position is consistent with it if
the colours can be chosen so that every card played was in the hand at that time, every pile gave
out exactly the cards it held, and the hands, cups and pile of the position remain. That is an
integer linear program, which is given to a solver.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

import numpy as np
from scipy.optimize import LinearConstraint, milp

from mandala.core.position import Position
from mandala.core.view import View, visible_states
from mandala.engine import CHANCE, NOBODY
from mandala.games import find_game
from mandala.games.cards import COLOUR_COUNT, UNKNOWN


@dataclass
class Batch:
    """Unseen draws of one seat from one pile between two of its plays."""

    seat: int
    pile: int
    is_secret: bool  # into a cup, where the cards stay
    plays: int  # number of the seat's earlier plays
    size: int = 0


@dataclass
class Evidence:
    """What a record reveals about hidden cards."""

    pools: list[Any] = field(default_factory=list)  # by pile: cards not drawn in the open
    batches: list[Batch] = field(default_factory=list)
    # (seat, batches so far, cards played so far minus cards taken back so far)
    plays: list[tuple[int, int, Any]] = field(default_factory=list)
    net: dict[int, Any] = field(default_factory=dict)  # played minus taken back, by seat


def contradicts(view: View, position: Position) -> bool:
    """Whether the position is impossible after the moves of the view's record."""
    evidence = _read(view)
    return bool(evidence.batches) and not _is_possible(evidence, view, position)


def _read(view: View) -> Evidence:
    game = find_game(view.game)
    rules, evidence = game.plain_rules, Evidence()
    if not game.has_hidden_information:
        return evidence
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    evidence.pools.append(np.array(states[0].pile[:COLOUR_COUNT], int))
    states = visible_states(game, states, None)
    evidence.net = {seat: np.zeros(COLOUR_COUNT, int) for seat in range(view.seats)}
    shuffle, clear = rules.shuffle_discard_pile, getattr(rules, "clear_cards", None)

    def note_shuffle(state: Any) -> None:
        evidence.pools.append(np.array(state.discard, int))
        shuffle(state)

    def note_taken_back(state: Any, seat: int, take_back: bool) -> None:
        if take_back:
            evidence.net[seat] -= state.laid[seat, state.mandala].sum(axis=0, dtype=int)
        assert clear is not None
        clear(state, seat, take_back)

    with mock.patch.object(rules, "shuffle_discard_pile", note_shuffle):
        if clear is None:
            _tell(rules, view, states[0], evidence)
        else:
            with mock.patch.object(rules, "clear_cards", note_taken_back):
                _tell(rules, view, states[0], evidence)
    return evidence


def _tell(rules: Any, view: View, state: Any, evidence: Evidence) -> None:
    assert view.history is not None
    for row, drawer in view.history:
        pile, colour = len(evidence.pools) - 1, int(rules.COLOUR[row])
        if state.actor == CHANCE and rules.KIND[row] == rules.CARD:
            if colour == UNKNOWN:
                _note_draw(rules, state, drawer, pile, evidence)
            else:
                evidence.pools[pile][colour] -= 1
        elif state.actor not in (CHANCE, NOBODY) and rules.COUNT[row]:
            seat = int(state.turn)
            evidence.net[seat][colour] += int(rules.COUNT[row])
            if seat + 1 != view.seat:
                evidence.plays.append((seat, len(evidence.batches), evidence.net[seat].copy()))
        rules.apply(state, row)


def _note_draw(rules: Any, state: Any, seat: int, pile: int, evidence: Evidence) -> None:
    is_secret = False
    if hasattr(rules, "TO_CUP_1") and state.phase == rules.SETUP:
        target = rules.SETUP_DRAWS[rules.SETUP_COUNT - state.draws]
        is_secret = target in (rules.TO_CUP_1, rules.TO_CUP_2)
    plays = sum(1 for other, _, _ in evidence.plays if other == seat)
    batch = Batch(seat, pile, is_secret, plays)
    if not evidence.batches or replace(evidence.batches[-1], size=0) != batch:
        evidence.batches.append(batch)
    evidence.batches[-1].size += 1


def _is_possible(evidence: Evidence, view: View, position: Position) -> bool:
    """Solve for the number of cards of each colour in each batch."""
    count = len(evidence.batches)
    rows, low, high = [], [], []

    def add(coefficients: dict[tuple[int, int], int], least: float, most: float) -> None:
        row = np.zeros(count * COLOUR_COUNT)
        for (batch, colour), factor in coefficients.items():
            row[batch * COLOUR_COUNT + colour] = factor
        rows.append(row)
        low.append(least)
        high.append(most)

    for number, batch in enumerate(evidence.batches):
        add({(number, colour): 1 for colour in range(COLOUR_COUNT)}, batch.size, batch.size)
    for colour in range(COLOUR_COUNT):
        for pile, pool in enumerate(evidence.pools):
            drawn = {(b, colour): 1 for b, each in enumerate(evidence.batches) if each.pile == pile}
            is_last = pile == len(evidence.pools) - 1
            left = int(pool[colour]) - (int(position.state.pile[colour]) if is_last else 0)
            add(drawn, left, left)
        for seat in range(view.seats):
            if seat + 1 == view.seat:
                continue
            own = [b for b, each in enumerate(evidence.batches) if each.seat == seat]
            hand = {(b, colour): 1 for b in own if not evidence.batches[b].is_secret}
            total = int(evidence.net[seat][colour]) + int(position.state.hand[seat, colour])
            add(hand, total, total)
            if view.game == "mandala":
                cup = {(b, colour): 1 for b in own if evidence.batches[b].is_secret}
                secret = int(position.state.secret[seat, colour])
                add(cup, secret, secret)
    for seat, batches, net in evidence.plays:
        for colour in range(COLOUR_COUNT):
            before = {
                (b, colour): 1
                for b, each in enumerate(evidence.batches[:batches])
                if each.seat == seat and not each.is_secret
            }
            add(before, int(net[colour]), np.inf)
    solved = milp(
        np.zeros(count * COLOUR_COUNT),
        constraints=LinearConstraint(np.array(rows), np.array(low), np.array(high)),
        integrality=np.ones(count * COLOUR_COUNT),
    )
    return bool(solved.success)

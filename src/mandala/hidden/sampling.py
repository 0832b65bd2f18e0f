"""Sampling colours for the cards that a seat did not see, in agreement with all it did see.

Cards drawn unseen are tokens without a colour, each from a certain pile. A demand is a card that
its owner played and was not known to have: it must have been one of the tokens drawn before. The
tokens left over are dealt from what their pile still held. So every card played was in the hand at
that time, and every pile gave out just what it had.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import below, rule, rule_with_arrays

COLOUR_COUNT = 6
NOTHING = -1
SCALE = 1 << 20  # likelihoods are whole numbers out of this
MAX_DISPLACEMENTS = 1_000  # demands moved for one another before sampling starts again


@rule_with_arrays
def sample_hidden(
    demands: Any, piles: Any, owner: Any, pile_of: Any, colours: Any, generator: Any
) -> None:
    """Write a colour for every token, drawn at random among those that meet all demands.

    A row of `demands` is a seat, a colour, and how many tokens had been drawn by then.
    `piles[pile, colour]` are the cards of a pile that were not drawn in the open, and in the end
    what is left of them. `owner[token]` and `pile_of[token]` tell whose draw it was and from which
    pile; a token with no owner can never be played.
    """
    left = np.empty_like(piles)
    demand_of = np.empty(len(owner), np.int64)  # the demand a token meets, or NOTHING
    while True:
        copy_cards(piles, left)
        demand_of[:] = NOTHING
        if meet_demands(demands, left, owner, pile_of, demand_of, generator):
            break
    for token in range(len(owner)):
        if demand_of[token] == NOTHING:
            colours[token] = deal_card(left[pile_of[token]], generator)
        else:
            colours[token] = demands[demand_of[token], 1]
    copy_cards(left, piles)


@rule
def copy_cards(source: Any, target: Any) -> None:
    """Copy counts by pile and colour. As one assignment of arrays it compiles for ten seconds."""
    for pile in range(len(source)):
        for colour in range(COLOUR_COUNT):
            target[pile, colour] = source[pile, colour]


@rule
def meet_demands(
    demands: Any, piles: Any, owner: Any, pile_of: Any, demand_of: Any, generator: Any
) -> bool:
    """Find a token for every demand; one that finds none takes the place of another."""
    left = MAX_DISPLACEMENTS
    for demand in range(len(demands)):
        unmatched = demand
        while unmatched != NOTHING:
            if not meet(unmatched, demands, piles, owner, pile_of, demand_of, generator):
                unmatched = displace(
                    unmatched, demands, piles, owner, pile_of, demand_of, generator
                )
                left -= 1
                if left == 0:
                    return False
            else:
                unmatched = NOTHING
    return True


@rule
def meet(
    demand: int, demands: Any, piles: Any, owner: Any, pile_of: Any, demand_of: Any, generator: Any
) -> bool:
    """Choose a free token for a demand, by how likely it is to have the colour."""
    seat, colour, drawn = demands[demand, 0], demands[demand, 1], demands[demand, 2]
    total = 0
    for token in range(drawn):
        if owner[token] == seat and demand_of[token] == NOTHING:
            total += likelihood(piles[pile_of[token]], colour)
    if total == 0:
        return False
    left = below(generator, total)
    for token in range(drawn):
        if owner[token] == seat and demand_of[token] == NOTHING:
            left -= likelihood(piles[pile_of[token]], colour)
            if left < 0:
                demand_of[token] = demand
                piles[pile_of[token], colour] -= 1
                return True
    return False


@rule
def displace(
    demand: int, demands: Any, piles: Any, owner: Any, pile_of: Any, demand_of: Any, generator: Any
) -> int:
    """Take a token, or the last card of a colour, from another demand; return the one unmatched."""
    seat, colour, drawn = demands[demand, 0], demands[demand, 1], demands[demand, 2]
    wanted = below(generator, drawn)
    if owner[wanted] != seat:
        return demand
    pile = pile_of[wanted]
    rival = demand_of[wanted]
    if rival == NOTHING:
        # The token is free, but its pile has no card of the colour left: somebody has it.
        start = below(generator, len(demand_of))
        for step in range(len(demand_of)):
            token = (start + step) % len(demand_of)
            holder = demand_of[token]
            if holder != NOTHING and pile_of[token] == pile and demands[holder, 1] == colour:
                demand_of[token] = NOTHING
                demand_of[wanted] = demand
                return holder
        return demand
    if piles[pile, colour] == 0:
        return demand
    piles[pile, demands[rival, 1]] += 1
    piles[pile, colour] -= 1
    demand_of[wanted] = demand
    return rival


@rule
def likelihood(pile: Any, colour: int) -> int:
    """The share of a colour among the cards of a pile."""
    cards = 0
    for each in range(COLOUR_COUNT):
        cards += pile[each]
    return SCALE * pile[colour] // cards if cards > 0 else 0


@rule
def deal_card(pile: Any, generator: Any) -> int:
    """Take a random card off a pile and return its colour."""
    cards = 0
    for each in range(COLOUR_COUNT):
        cards += pile[each]
    left = below(generator, cards)
    colour = 0
    while left >= pile[colour]:
        left -= pile[colour]
        colour += 1
    pile[colour] -= 1
    return colour

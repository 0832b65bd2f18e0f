"""Sampling colours for the cards that a seat did not see, consistent with what it did see.

The seat saw other seats draw cards without seeing their colours, and play cards that were not known
to be in their hands. Each such play is matched with an unseen draw that the player made before it.
Draws that are left without a play get a random card of what their pile still contained. So every
card played was in the hand at that time, and every pile gave out the cards it had.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import random_below, rule, rule_with_arrays

COLOUR_COUNT = 6
UNMATCHED = -1  # a draw without a play, or no play
SCALE = 1 << 20  # likelihoods are integers from 0 to this
MAX_REMATCHES = 1_000  # before sampling starts again


@rule_with_arrays
def sample_hidden(
    plays: Any, piles: Any, drawn_by: Any, pile_of: Any, colours: Any, generator: Any
) -> None:
    """Write a random colour for every unseen draw, such that all plays can be matched.

    A row of `plays` is a seat, a colour, and the number of unseen draws made before the play.
    `piles[pile, colour]` is the number of cards of a pile that were not drawn openly; on return,
    the number left. `drawn_by[draw]` and `pile_of[draw]` are the seat that drew the card and the
    pile; a draw with a negative seat is never played.
    """
    left = np.empty_like(piles)
    play_of = np.empty(len(drawn_by), np.int64)  # the play that a draw is matched with
    while True:
        copy_cards(piles, left)
        play_of[:] = UNMATCHED
        if match_plays(plays, left, drawn_by, pile_of, play_of, generator):
            break
    for draw in range(len(drawn_by)):
        if play_of[draw] == UNMATCHED:
            colours[draw] = deal_card(left[pile_of[draw]], generator)
        else:
            colours[draw] = plays[play_of[draw], 1]
    copy_cards(left, piles)


@rule
def copy_cards(source: Any, target: Any) -> None:
    """Copy counts by pile and colour. One array assignment would take ten seconds to compile."""
    for pile in range(len(source)):
        for colour in range(COLOUR_COUNT):
            target[pile, colour] = source[pile, colour]


@rule
def match_plays(
    plays: Any, piles: Any, drawn_by: Any, pile_of: Any, play_of: Any, generator: Any
) -> bool:
    """Match every play with a draw; return False after too many rematches."""
    left = MAX_REMATCHES
    for play in range(len(plays)):
        unmatched = play
        while unmatched != UNMATCHED:
            if not match_play(unmatched, plays, piles, drawn_by, pile_of, play_of, generator):
                unmatched = rematch(unmatched, plays, piles, drawn_by, pile_of, play_of, generator)
                left -= 1
                if left == 0:
                    return False
            else:
                unmatched = UNMATCHED
    return True


@rule
def match_play(
    play: int, plays: Any, piles: Any, drawn_by: Any, pile_of: Any, play_of: Any, generator: Any
) -> bool:
    """Match a play with a free draw, chosen by its chance of having the colour; False if none."""
    seat, colour, draws_before = plays[play, 0], plays[play, 1], plays[play, 2]
    total = 0
    for draw in range(draws_before):
        if drawn_by[draw] == seat and play_of[draw] == UNMATCHED:
            total += likelihood(piles[pile_of[draw]], colour)
    if total == 0:
        return False
    left = random_below(generator, total)
    for draw in range(draws_before):
        if drawn_by[draw] == seat and play_of[draw] == UNMATCHED:
            left -= likelihood(piles[pile_of[draw]], colour)
            if left < 0:
                play_of[draw] = play
                piles[pile_of[draw], colour] -= 1
                return True
    return False


@rule
def rematch(
    play: int, plays: Any, piles: Any, drawn_by: Any, pile_of: Any, play_of: Any, generator: Any
) -> int:
    """Reassign another play's draw, or card, to this play; return the play that lost it."""
    seat, colour, draws_before = plays[play, 0], plays[play, 1], plays[play, 2]
    wanted = random_below(generator, draws_before)
    if drawn_by[wanted] != seat:
        return play
    pile = pile_of[wanted]
    rival = play_of[wanted]
    if rival == UNMATCHED:
        # The draw is free, but all cards of the colour in its pile are matched: take one of them.
        start = random_below(generator, len(play_of))
        for step in range(len(play_of)):
            draw = (start + step) % len(play_of)
            holder = play_of[draw]
            if holder != UNMATCHED and pile_of[draw] == pile and plays[holder, 1] == colour:
                play_of[draw] = UNMATCHED
                play_of[wanted] = play
                return holder
        return play
    if piles[pile, colour] == 0:
        return play
    piles[pile, plays[rival, 1]] += 1
    piles[pile, colour] -= 1
    play_of[wanted] = play
    return rival


@rule
def likelihood(pile: Any, colour: int) -> int:
    """The fraction of a pile's cards that have a colour, as a multiple of 1 / SCALE."""
    cards = 0
    for each in range(COLOUR_COUNT):
        cards += pile[each]
    return SCALE * pile[colour] // cards if cards > 0 else 0


@rule
def deal_card(pile: Any, generator: Any) -> int:
    """Take a random card from a pile and return its colour."""
    cards = 0
    for each in range(COLOUR_COUNT):
        cards += pile[each]
    left = random_below(generator, cards)
    colour = 0
    while left >= pile[colour]:
        left -= pile[colour]
        colour += 1
    pile[colour] -= 1
    return colour

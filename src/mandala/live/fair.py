"""Verifiable deals that no participant can influence: the protocol of `docs/fair.md`.

The server commits to a secret before anyone sits down, each person contributes a random share, and
every chance move is derived from a key made of all of them. This module draws no randomness and
does not depend on tables: `verify` needs only a finished record.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile

from mandala.core.position import Position
from mandala.core.record import MAX_MOVES, Record
from mandala.core.replay import check, start
from mandala.text.errors import InvalidRecord, MandalaError
from mandala.text.notation import join_moves, shorten, split_word, words

SIZE = 32  # bytes of the secret, of a share, and of the key
PREFIX = b"mandala deal 1"  # without it the key of a game between bots would be the commitment
WORD = 8  # bytes of the random number that an outcome is derived from
RANGE = re.compile(r"(0|[1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
HEX = re.compile(rf"[0-9a-f]{{{2 * SIZE}}}")
SHARE_TAG = "Share{seat}"
GIVEN_TAG = "Given"  # number of plies taken over from another game
NUMBERS_TAG = "ChanceNumbers"  # of the chance moves in the record
DRAWN_TAG = "Drawn"  # how many chance numbers were used, with those of moves taken back
LINES_TAG = "TakenBack"  # the lines taken back, with their draws
TAKEBACKS_TAG = "Takebacks"  # how many there were
LINE = re.compile(r"(0|[1-9][0-9]{0,8}): (.+)")


@dataclass(frozen=True)
class TakenLine:
    """Moves and draws that were taken back together, and the number of plies before them."""

    plies: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Draw:
    """A chance move: its number, its ply from 1, and the weights of all outcomes."""

    number: int
    ply: int
    move: str
    weights: Mapping[str, int]


@dataclass(frozen=True)
class Deal:
    """The chance moves of a record in the order in which they were made."""

    draws: list[Draw]
    standing: list[Draw]  # those of the record's moves
    taken_back: list[list[Draw]]  # those of each line taken back


@dataclass(frozen=True)
class Verified:
    """What verifying a record has shown."""

    draws: int  # chance moves checked, with those taken back
    taken_back: int  # lines taken back
    skipped: str  # chance numbers that a record of the older form does not account for


def commitment_of(secret: bytes) -> bytes:
    """Return the hash of the secret, which is published before the game."""
    return hashlib.sha256(secret).digest()


def key_of(secret: bytes, shares: Mapping[int, bytes]) -> bytes:
    """Return the key of a game: the hash of a prefix, the secret, and each seat with its share."""
    assert len(secret) == SIZE, "the secret has 32 bytes"
    whole = bytearray(PREFIX + secret)
    for seat in sorted(shares):
        assert len(shares[seat]) == SIZE, "a share has 32 bytes"
        whole += bytes([seat]) + shares[seat]
    return hashlib.sha256(whole).digest()


def number_below(key: bytes, number: int, limit: int) -> int:
    """Return the random number from 0 to limit - 1 for chance move `number`.

    Uses rejection sampling: words beyond the last whole multiple of the limit are discarded, so
    that every number is equally likely.
    """
    words = 1 << (8 * WORD)
    assert 0 < limit <= words, "the limit must fit in a word"
    for attempt in count():
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.digest(key, message, "sha256")[:WORD], "big")
        if word < words - words % limit:
            return word % limit
    raise AssertionError("count() never ends")


def outcome(key: bytes, number: int, weights: Mapping[str, int]) -> str:
    """Return the outcome of chance move `number`; `weights` are in the order of the move list."""
    left = number_below(key, number, sum(weights.values()))
    for move, weight in weights.items():
        left -= weight
        if left < 0:
            return move
    raise AssertionError("the number is below the sum of the weights")


def tags_of(
    secret: bytes,
    shares: Mapping[int, bytes],
    numbers: Sequence[int],
    taken_back: Sequence[TakenLine] = (),
    drawn: int | None = None,
) -> dict[str, str]:
    """Return the tags with which the deal of a finished record can be verified.

    `numbers` are those of the chance moves in the record; `drawn` counts all that were used, and is
    the length of `numbers` by default.
    """
    tags = {
        "Commitment": commitment_of(secret).hex(),
        "Secret": secret.hex(),
        **{SHARE_TAG.format(seat=seat): shares[seat].hex() for seat in sorted(shares)},
        NUMBERS_TAG: format_ranges(numbers),
        DRAWN_TAG: str(len(numbers) if drawn is None else drawn),
    }
    return tags | ({LINES_TAG: format_lines(taken_back)} if taken_back else {})


def format_lines(taken_back: Sequence[TakenLine]) -> str:
    """Format lines taken back: `41: A1y+vgo; 44: B1r C2r`."""
    return "; ".join(
        f"{line.plies}: {join_moves(list(line.moves), width=10 * MAX_MOVES)}" for line in taken_back
    )


def parse_lines(text: str) -> list[TakenLine]:
    """Parse the output of `format_lines`. Raises InvalidRecord."""
    lines, moves = [], 0
    for part in text.split(";"):
        found = LINE.fullmatch(part.strip())
        if not found:
            raise InvalidRecord("fair-line", {"text": shorten(part.strip())})
        line = [move for word, _ in words(found[2], 1) for move in split_word(word)]
        moves += len(line)
        if moves > MAX_MOVES:
            raise InvalidRecord("too-long", {"most": MAX_MOVES})
        lines.append(TakenLine(int(found[1]), tuple(line)))
    return lines


def format_ranges(numbers: Sequence[int]) -> str:
    """Format increasing numbers as ranges: `0-15 19 22-30`."""
    parts: list[str] = []
    first = last = -1
    for number in [*numbers, -1]:
        if number == last + 1 and last >= 0:
            last = number
            continue
        if last >= 0:
            parts.append(str(first) if first == last else f"{first}-{last}")
        first = last = number
    return " ".join(parts)


def parse_ranges(text: str, limit: int) -> list[int]:
    """Parse the output of `format_ranges`. Raises InvalidRecord, also for more than `limit`."""
    numbers: list[int] = []
    for part in text.split():
        found = RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        is_rising = first <= last and (not numbers or first > numbers[-1])
        if not is_rising or len(numbers) + last - first + 1 > limit:
            raise InvalidRecord("fair-numbers", {"text": part[:40], "most": limit})
        numbers += range(first, last + 1)
    return numbers


def given_plies(record: Record) -> int:
    """Return the number of plies that a record takes over from another game, by its `Given` tag.

    Raises InvalidRecord for a wrong tag.
    """
    text = record.tags.get(GIVEN_TAG, "0")
    found = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else len(record.moves) + 1
    if found > len(record.moves):
        parts = {"text": text[:40], "most": len(record.moves)}
        raise InvalidRecord("fair-given", parts, place=record.tag_places.get(GIVEN_TAG))
    return found


def taken_back_lines(record: Record) -> list[TakenLine]:
    """Return the lines taken back that a record contains. Raises InvalidRecord."""
    if LINES_TAG not in record.tags:
        return []
    try:
        return parse_lines(record.tags[LINES_TAG])
    except MandalaError as error:
        raise _at_tag(error, record, LINES_TAG) from None


def segments(record: Record, lines: Sequence[TakenLine]) -> list[tuple[int, list[str]]]:
    """Return all moves ever made, in order: from the start, then those after each takeback.

    Each segment has the number of plies that stood before it. Raises InvalidRecord.
    """
    standing, found = list(record.moves), []
    for line in reversed(lines):
        if line.plies > len(standing):
            parts = {"text": shorten(format_lines([line]))}
            raise _at_tag(InvalidRecord("fair-line", parts), record, LINES_TAG)
        found.append((line.plies, standing[line.plies :]))
        standing[line.plies :] = line.moves
    found.append((0, standing))
    return found[::-1]


def deal_of(record: Record) -> Deal:
    """Return the chance moves of a record after its given plies, numbered in the order made.

    Those of a record of the older form have the numbers that it names. Raises InvalidRecord for
    wrong tags and lines, and IllegalMove or InvalidMove for wrong moves; numbers are not checked.
    """
    given, lines = given_plies(record), taken_back_lines(record)
    boards = [start(record)]
    deal = Deal([], [], [])
    for place, (plies, moves) in enumerate(segments(record, lines)):
        if place:
            _require_decision(record, boards, plies, given)
            del boards[plies + 1 :]
            kept = sum(draw.ply <= plies for draw in deal.standing)
            deal.taken_back.append(deal.standing[kept:])
            del deal.standing[kept:]
        for move in moves:
            before = boards[-1]
            try:
                boards.append(before.play(move))
            except MandalaError as error:
                raise _at_tag(error, record, LINES_TAG) from None
            if len(boards) > given + 1 and before.actor == 0:
                draw = Draw(len(deal.draws), len(boards) - 1, move, before.chance_weights)
                deal.draws.append(draw)
                deal.standing.append(draw)
    if _is_older(record):
        named = _named_numbers(record, len(deal.draws))
        draws = [replace(draw, number=n) for n, draw in zip(named, deal.draws, strict=True)]
        return Deal(draws, draws, [])
    return deal


def _require_decision(record: Record, boards: Sequence[Position], plies: int, given: int) -> None:
    """Require that a takeback led from a seat's turn back to an earlier turn of a seat."""
    is_turn = given <= plies < len(boards) and boards[plies].actor and boards[-1].actor
    if not is_turn:
        raise _at_tag(InvalidRecord("fair-takeback", {"plies": plies}), record, LINES_TAG)


def verify(
    record: Record, *, commitment: bytes | None = None, share: bytes | None = None
) -> Verified:
    """Verify the deal of a finished record and return what that has shown.

    `commitment` and `share` are what a player noted before the game. Raises InvalidRecord for the
    first failure: an illegal move, a secret that does not match its commitment, a chance number
    that was skipped or repeated, a chance move that does not match the key, or other notes.
    """
    check(record)
    deal = deal_of(record)
    secret, committed = _bytes(record, "Secret"), _bytes(record, "Commitment")
    if commitment_of(secret) != committed:
        raise InvalidRecord("fair-secret", {}, place=record.tag_places.get("Secret"))
    seats = range(1, int(record.tags.get("Seats", "2")) + 1)
    tags = {seat: SHARE_TAG.format(seat=seat) for seat in seats}
    shares = {seat: _bytes(record, tag) for seat, tag in tags.items() if tag in record.tags}
    if commitment not in (None, committed):
        raise _at_tag(InvalidRecord("fair-noted-commitment", {}), record, "Commitment")
    if share is not None and share not in shares.values():
        raise InvalidRecord("fair-noted-share", {})
    skipped = _check_older_numbers(record, deal) if _is_older(record) else ""
    if not _is_older(record):
        _check_numbers(record, deal)
    key = key_of(secret, shares)
    for draw in deal.draws:
        expected = outcome(key, draw.number, draw.weights)
        if expected != draw.move:
            parts = {"number": draw.number, "move": draw.move, "right": expected}
            raise InvalidRecord("fair-draw", parts)
    return Verified(len(deal.draws), len(deal.taken_back), skipped)


def _is_older(record: Record) -> bool:
    """Whether a record was made before records contained the lines taken back."""
    return DRAWN_TAG not in record.tags and LINES_TAG not in record.tags


def _check_numbers(record: Record, deal: Deal) -> None:
    """Check that all chance numbers are accounted for, each once. Raises InvalidRecord."""
    takebacks, drawn = _count(record, TAKEBACKS_TAG, "0"), _count(record, DRAWN_TAG)
    if takebacks != len(deal.taken_back):
        parts = {"found": len(deal.taken_back), "wanted": takebacks}
        raise _at_tag(InvalidRecord("fair-lines", parts), record, TAKEBACKS_TAG)
    named = _named_numbers(record, len(deal.standing))
    setup = _setup_size(record, deal)
    for place, (number, draw) in enumerate(zip(named, deal.standing, strict=True)):
        if number != draw.number:
            _fail_number(record, number, draw.number, is_setup=place < setup)
    if drawn != len(deal.draws):
        _fail_number(record, drawn, len(deal.draws), is_setup=False)


def _fail_number(record: Record, named: int, expected: int, *, is_setup: bool) -> None:
    code = "fair-setup" if is_setup else "fair-skipped" if named > expected else "fair-repeated"
    error = InvalidRecord(code, {"number": min(named, expected)})
    raise _at_tag(error, record, NUMBERS_TAG)


def _check_older_numbers(record: Record, deal: Deal) -> str:
    """Check the numbers of a record of the older form; return those not accounted for.

    Numbers can be missing only before the first draw after a decision, and not more often than
    moves were taken back.
    """
    setup, gaps = _setup_size(record, deal), 0
    skipped: list[int] = []
    previous = Draw(-1, 0, "", {})
    for place, draw in enumerate(deal.draws):
        missing = range(previous.number + 1, draw.number)
        is_after_draw = place > 0 and draw.ply == previous.ply + 1
        if missing and (place < setup or is_after_draw):
            _fail_number(record, draw.number, missing[0], is_setup=place < setup)
        gaps += bool(missing)
        skipped += missing[: MAX_MOVES - len(skipped)]
        previous = draw
    if gaps > _count(record, TAKEBACKS_TAG, "0"):
        _fail_number(record, skipped[0] + 1, skipped[0], is_setup=False)
    return format_ranges(skipped)


def _setup_size(record: Record, deal: Deal) -> int:
    """The number of chance moves before the first decision after the given plies."""
    first = given_plies(record) + 1
    plies = enumerate((draw.ply for draw in deal.standing), start=first)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], plies))


def _named_numbers(record: Record, wanted: int) -> list[int]:
    """The numbers of the chance moves in a record by its tag."""
    numbers = parse_ranges(_tag(record, NUMBERS_TAG), wanted)
    if len(numbers) != wanted:
        raise InvalidRecord("fair-count", {"found": len(numbers), "wanted": wanted})
    return numbers


def _count(record: Record, tag: str, default: str | None = None) -> int:
    text = _tag(record, tag) if default is None else record.tags.get(tag, default)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise _at_tag(InvalidRecord("fair-tag", {"tag": tag}), record, tag)
    return int(text)


def _at_tag(error: MandalaError, record: Record, tag: str) -> MandalaError:
    """Return an error with the place of a tag, if that is known."""
    place = record.tag_places.get(tag)
    return error.at(place) if place else error


def _tag(record: Record, tag: str) -> str:
    if tag not in record.tags:
        raise InvalidRecord("tag-missing", {"tag": tag})
    return record.tags[tag]


def _bytes(record: Record, tag: str) -> bytes:
    text = _tag(record, tag)
    if not HEX.fullmatch(text):
        raise InvalidRecord("fair-bytes", {"tag": tag}, place=record.tag_places.get(tag))
    return bytes.fromhex(text)

"""Verifiable deals that no participant can influence: the protocol of `docs/fair.md`.

The server commits to a secret before anyone sits down, each person contributes a random share, and
every chance move is derived from a key made of all of them. This module draws no randomness and
does not depend on tables: `verify` needs only a finished record.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from mandala.core.position import Position
from mandala.core.record import Record
from mandala.core.replay import boards, check
from mandala.text.errors import InvalidRecord

SIZE = 32  # bytes of the secret, of a share, and of the key
PREFIX = b"mandala deal 1"  # without it the key of a game between bots would be the commitment
WORD = 8  # bytes of the random number that an outcome is derived from
RANGE = re.compile(r"(0|[1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
HEX = re.compile(rf"[0-9a-f]{{{2 * SIZE}}}")
SHARE_TAG = "Share{seat}"
GIVEN_TAG = "Given"  # number of plies taken over from another game


@dataclass(frozen=True)
class Draw:
    """A chance move of a record: its number, its ply from 1, and the weights of all outcomes."""

    number: int
    ply: int
    move: str
    weights: Mapping[str, int]


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


def tags_of(secret: bytes, shares: Mapping[int, bytes], numbers: Sequence[int]) -> dict[str, str]:
    """Return the tags with which the deal of a finished record can be verified."""
    return {
        "Commitment": commitment_of(secret).hex(),
        "Secret": secret.hex(),
        **{SHARE_TAG.format(seat=seat): shares[seat].hex() for seat in sorted(shares)},
        "ChanceNumbers": format_ranges(numbers),
    }


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


def draws(record: Record) -> Iterator[Draw]:
    """Yield the chance moves of a record after its given plies.

    Raises InvalidRecord for wrong tags, and what `boards` raises for wrong moves.
    """
    after = iter(boards(record))
    before = next(after)
    plies, first = [], given_plies(record)
    for ply, (move, board) in enumerate(zip(record.moves, after, strict=True)):
        if ply >= first and isinstance(before, Position) and before.actor == 0:
            plies.append((ply + 1, move, before.chance_weights))
        before = board
    numbers = parse_ranges(_tag(record, "ChanceNumbers"), len(plies))
    if len(numbers) != len(plies):
        raise InvalidRecord("fair-count", {"found": len(numbers), "wanted": len(plies)})
    for number, (ply, move, weights) in zip(numbers, plies, strict=True):
        yield Draw(number, ply, move, weights)


def verify(record: Record) -> int:
    """Verify the deal of a finished record and return the number of chance moves checked.

    Raises InvalidRecord for the first failure: an illegal move, a secret that does not match its
    commitment, or a chance move that does not match the key.
    """
    check(record)
    secret, commitment = _bytes(record, "Secret"), _bytes(record, "Commitment")
    if commitment_of(secret) != commitment:
        raise InvalidRecord("fair-secret", {}, place=record.tag_places.get("Secret"))
    seats = range(1, int(record.tags.get("Seats", "2")) + 1)
    tags = {seat: SHARE_TAG.format(seat=seat) for seat in seats}
    shares = {seat: _bytes(record, tag) for seat, tag in tags.items() if tag in record.tags}
    key, checked = key_of(secret, shares), 0
    for draw in draws(record):
        expected = outcome(key, draw.number, draw.weights)
        if expected != draw.move:
            parts = {"number": draw.number, "move": draw.move, "right": expected}
            raise InvalidRecord("fair-draw", parts)
        checked += 1
    return checked


def _tag(record: Record, tag: str) -> str:
    if tag not in record.tags:
        raise InvalidRecord("tag-missing", {"tag": tag})
    return record.tags[tag]


def _bytes(record: Record, tag: str) -> bytes:
    text = _tag(record, tag)
    if not HEX.fullmatch(text):
        raise InvalidRecord("fair-bytes", {"tag": tag}, place=record.tag_places.get(tag))
    return bytes.fromhex(text)

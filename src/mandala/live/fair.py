"""Deals that nobody can steer and everybody can check afterwards: `docs/fair.md`, byte for byte.

The server commits to a secret before anyone sits down, each person adds bytes of their own, and
every chance move follows from a key made of all of it. Nothing here draws randomness, and nothing
here knows tables: `verify` needs only a finished record.
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

SIZE = 32  # bytes of the secret, of a person's share, and of the key
PREFIX = b"mandala deal 1"  # without it the key of a game without people would be the commitment
WORD = 8  # bytes of the number that an outcome is made from
RANGE = re.compile(r"(0|[1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
HEX = re.compile(rf"[0-9a-f]{{{2 * SIZE}}}")
SHARE_TAG = "Share{seat}"
GIVEN_TAG = "Given"  # how many plies a game began with that another one had played


@dataclass(frozen=True)
class Draw:
    """One chance move of a record: its number, its ply from 1, what was drawn, and out of what."""

    number: int
    ply: int
    move: str
    weights: Mapping[str, int]


def commitment_of(secret: bytes) -> bytes:
    """What is published before the game: it binds the server to its secret without telling it."""
    return hashlib.sha256(secret).digest()


def key_of(secret: bytes, shares: Mapping[int, bytes]) -> bytes:
    """The key of a game: a prefix, the secret, then by seat its number as a byte and its share."""
    assert len(secret) == SIZE, "the secret has 32 bytes"
    whole = bytearray(PREFIX + secret)
    for seat in sorted(shares):
        assert len(shares[seat]) == SIZE, "a share has 32 bytes"
        whole += bytes([seat]) + shares[seat]
    return hashlib.sha256(whole).digest()


def number_below(key: bytes, number: int, limit: int) -> int:
    """The number from 0 to limit - 1 that chance number `number` stands for.

    A word beyond the last whole multiple of the limit is rejected and the next attempt taken, so
    that every outcome is exactly as likely as its weight says.
    """
    words = 1 << (8 * WORD)
    assert 0 < limit <= words, "a word must be able to name every outcome"
    for attempt in count():
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.digest(key, message, "sha256")[:WORD], "big")
        if word < words - words % limit:
            return word % limit
    raise AssertionError("count() never ends")


def outcome(key: bytes, number: int, weights: Mapping[str, int]) -> str:
    """The chance move of this number, out of the possible ones in the order of the game's table."""
    left = number_below(key, number, sum(weights.values()))
    for move, weight in weights.items():
        left -= weight
        if left < 0:
            return move
    raise AssertionError("the number is below the sum of the weights")


def tags_of(secret: bytes, shares: Mapping[int, bytes], numbers: Sequence[int]) -> dict[str, str]:
    """What a finished record tells, so that anybody can check its deal."""
    return {
        "Commitment": commitment_of(secret).hex(),
        "Secret": secret.hex(),
        **{SHARE_TAG.format(seat=seat): shares[seat].hex() for seat in sorted(shares)},
        "ChanceNumbers": written(numbers),
    }


def written(numbers: Sequence[int]) -> str:
    """Rising numbers in short: `0-15 19 22-30`."""
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


def read(text: str, most: int) -> list[int]:
    """The numbers that `written` wrote, never more than `most`. Raises InvalidRecord."""
    numbers: list[int] = []
    for part in text.split():
        found = RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        is_rising = first <= last and (not numbers or first > numbers[-1])
        if not is_rising or len(numbers) + last - first + 1 > most:
            raise InvalidRecord("fair-numbers", {"text": part[:40], "most": most})
        numbers += range(first, last + 1)
    return numbers


def given(record: Record) -> int:
    """With how many plies of another game a record begins: those were not dealt here."""
    text = record.tags.get(GIVEN_TAG, "0")
    found = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else len(record.moves) + 1
    if found > len(record.moves):
        parts = {"text": text[:40], "most": len(record.moves)}
        raise InvalidRecord("fair-given", parts, place=record.tag_places.get(GIVEN_TAG))
    return found


def draws(record: Record) -> Iterator[Draw]:
    """The chance moves that were dealt in a record, with their numbers and weights.

    Raises on what cannot be.
    """
    after = iter(boards(record))
    before = next(after)
    plies, first = [], given(record)
    for ply, (move, board) in enumerate(zip(record.moves, after, strict=True)):
        if ply >= first and isinstance(before, Position) and before.actor == 0:
            plies.append((ply + 1, move, before.chance_weights))
        before = board
    numbers = read(_tag(record, "ChanceNumbers"), len(plies))
    if len(numbers) != len(plies):
        raise InvalidRecord("fair-count", {"found": len(numbers), "wanted": len(plies)})
    for number, (ply, move, weights) in zip(numbers, plies, strict=True):
        yield Draw(number, ply, move, weights)


def verify(record: Record) -> int:
    """Check the deal of a finished record and return how many chance moves were dealt.

    Raises InvalidRecord for the first thing that is not as it was promised: the game itself, the
    secret against its commitment, a chance move against its number.
    """
    check(record)
    secret, promised = _bytes(record, "Secret"), _bytes(record, "Commitment")
    if commitment_of(secret) != promised:
        raise InvalidRecord("fair-secret", {}, place=record.tag_places.get("Secret"))
    seats = range(1, int(record.tags.get("Seats", "2")) + 1)
    tags = {seat: SHARE_TAG.format(seat=seat) for seat in seats}
    shares = {seat: _bytes(record, tag) for seat, tag in tags.items() if tag in record.tags}
    key, checked = key_of(secret, shares), 0
    for draw in draws(record):
        right = outcome(key, draw.number, draw.weights)
        if right != draw.move:
            parts = {"number": draw.number, "move": draw.move, "right": right}
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

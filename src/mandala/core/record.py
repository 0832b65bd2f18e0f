"""Game records: plain text like PGN in chess, read and written.

A record is tags and moves. Reading checks the format and reports the place of the first error;
`check` in `replay` checks whether the moves are legal and the result is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mandala.text.errors import InvalidRecord, MandalaError, Place
from mandala.text.notation import join_moves, shorten, split_word, words

TAG_LINE = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "([^"\r\n]*)"\]\s*')
TAG_ORDER = ("Game", "Rules", "Seats", "Seat1", "Seat2", "Seat3", "Seat4", "Date")
LAST_TAGS = ("Result", "Winner", "Termination")
# Far beyond any real game: reading stops at these limits.
MAX_MOVES = 100_000
MAX_TAGS = 200


@dataclass(frozen=True)
class Record:
    """Tags, and moves one by one in notation; `places` has the place of each move in its file.

    Raises InvalidRecord for a tag that cannot be written: a value must not contain `"` or a line
    end.
    """

    tags: dict[str, str]
    moves: tuple[str, ...]
    places: tuple[Place, ...] = field(default=(), compare=False, repr=False)
    tag_places: dict[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, value in self.tags.items():
            if not TAG_LINE.fullmatch(line := f'[{name} "{value}"]'):
                raise InvalidRecord("bad-tag", {"text": shorten(line)})

    def __str__(self) -> str:
        first = [name for name in TAG_ORDER if name in self.tags]
        last = [name for name in LAST_TAGS if name in self.tags]
        other = [name for name in self.tags if name not in first and name not in last]
        lines = [f'[{name} "{self.tags[name]}"]' for name in (*first, *other, *last)]
        return "\n".join(lines) + "\n\n" + join_moves(list(self.moves)) + "\n"


@dataclass
class _Draft:
    """A record while it is being read; `index` counts the records of a file from 0."""

    index: int
    tags: dict[str, str] = field(default_factory=dict)
    tag_places: dict[str, Place] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add_tag(self, line: str, place: Place) -> None:
        found = TAG_LINE.fullmatch(line)
        if not found:
            raise InvalidRecord("bad-tag", {"text": shorten(line.strip())}, place=place)
        name, value = found.groups()
        if name in self.tags:
            raise InvalidRecord("tag-twice", {"tag": name}, place=place)
        if len(self.tags) == MAX_TAGS:
            raise InvalidRecord("too-many-tags", {"most": MAX_TAGS}, place=place)
        self.tags[name] = value
        self.tag_places[name] = place

    def add_moves(self, line: str, number: int) -> None:
        for word, place in words(line, number):
            if not self.tags:
                raise InvalidRecord("no-tags", {"text": shorten(word)}, place=place)
            for offset, move in enumerate(split_word(word)):
                self.moves.append(move)
                column = place.column + (offset + 1 if offset else 0)
                self.places.append(Place(number, column, self.index))
            if len(self.moves) > MAX_MOVES:
                raise InvalidRecord("too-long", {"most": MAX_MOVES}, place=place)

    def finish(self) -> Record:
        return Record(self.tags, tuple(self.moves), tuple(self.places), self.tag_places)


def read_records(source: str | bytes | Iterable[str | bytes]) -> Iterator[Record]:
    """The records of a text, one after the other.

    `source` is the text itself, or its lines, such as an open file. Raises InvalidRecord or
    InvalidMove with the place of the first error; a text without a record is an error too.
    """
    draft, comment, found = _Draft(0), None, False
    for number, raw in enumerate(_lines(source), start=1):
        if not raw.strip():
            continue
        try:
            line = _decode(raw, number)
            stripped = line.strip()
            if comment is None and stripped.startswith("["):
                if draft.moves:
                    yield draft.finish()
                    draft, found = _Draft(draft.index + 1), True
                draft.add_tag(stripped, Place(number, line.index("[") + 1, draft.index))
            else:
                line, comment = _without_comments(line, number, comment)
                if line.strip():
                    draft.add_moves(line, number)
        except MandalaError as error:
            raise error.at(Place(number, 1, draft.index)) from None
    if comment is not None:
        place = Place(comment.line, comment.column, draft.index)
        raise InvalidRecord("comment-open", {}, place=place)
    if draft.tags:
        yield draft.finish()
    elif not found:
        raise InvalidRecord("no-record", {})


def _lines(source: str | bytes | Iterable[str | bytes]) -> Iterable[str | bytes]:
    if isinstance(source, str):
        return source.split("\n")
    return source.split(b"\n") if isinstance(source, bytes) else source


def _decode(raw: str | bytes, number: int) -> str:
    """A line as text, without the byte order mark that some editors write at a file's start."""
    if isinstance(raw, str):
        return raw.removeprefix("\ufeff") if number == 1 else raw
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        place = Place(number, len(error.object[: error.start].decode()) + 1)
        raise InvalidRecord("not-utf8", {}, place=place) from None


def _without_comments(line: str, number: int, comment: Place | None) -> tuple[str, Place | None]:
    """The line with comments replaced by blanks, and the place of a comment that is still open."""
    kept = []
    position = 0
    while position < len(line):
        if comment is not None:
            end = line.find("}", position)
            stop = len(line) if end < 0 else end + 1
            kept.append(" " * (stop - position))
            comment = comment if end < 0 else None
        else:
            begin = line.find("{", position)
            stop = len(line) if begin < 0 else begin
            kept.append(line[position:stop])
            comment = None if begin < 0 else Place(number, begin + 1)
        position = stop
    return "".join(kept), comment

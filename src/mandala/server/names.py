"""Display names of seats in the reader's language, and the names that players may choose."""

from __future__ import annotations

import functools
import unicodedata

from mandala.bots.players import player_names
from mandala.live import table as live
from mandala.live.events import Bot, Person
from mandala.live.store import DELETED_NAME
from mandala.live.store.rows import Kind
from mandala.live.table import Table
from mandala.text import catalogue
from mandala.text.errors import Refused

MAX_NEW_NAME_LENGTH = 24  # characters; older names may be longer
# Letters, symbols and marks that are drawn as nothing or as a blank.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def names_of(table: Table, language: str) -> list[str]:
    """Return distinct names of the seats, empty for open seats.

    Several bots of the same level are called "Bot" with their seat. A person on several seats
    shares a device with others whose names are unknown: these seats are numbered players.
    """
    names = []
    for seat, sitter in enumerate(table.sitters, start=1):
        if isinstance(sitter, Bot):
            names.append(sitter_name("bot", sitter.name, language))
        elif isinstance(sitter, Person):
            is_shared = len(table.seats_of(sitter.player)) > 1 and sitter.name != DELETED_NAME
            player = catalogue.fill("players", "player", {"seat": seat}, language)
            names.append(player if is_shared else sitter_name("person", sitter.name, language))
        else:
            names.append("")
    bot = catalogue.word("players", "bot", language)
    is_repeated = [names.count(name) > 1 for name in names]
    for place, sitter in enumerate(table.sitters):
        if isinstance(sitter, Bot) and is_repeated[place]:
            names[place] = bot
    return make_distinct(names)


def sitter_name(kind: Kind, name: str, language: str) -> str:
    """Return the name of a person, a bot or an open seat, regardless of other seats."""
    if kind == "open":
        return catalogue.word("players", "open", language)
    if kind == "bot":
        return catalogue.sentences(language)["players"].get(name, name)
    return catalogue.word("players", "deleted", language) if name == DELETED_NAME else name


def make_distinct(names: list[str]) -> list[str]:
    """Append the seat's number to names that occur more than once."""
    while repeated := {name for name in names if name and names.count(name) > 1}:
        names = [
            f"{name} {seat}" if name in repeated else name
            for seat, name in enumerate(names, start=1)
        ]
    return names


def require_new_name(name: str) -> None:
    """Raise Refused unless a player may choose a name: short, visible, and not the program's."""
    live.require_name(name)
    if len(name) > MAX_NEW_NAME_LENGTH:
        raise Refused("bad-name", {"most": MAX_NEW_NAME_LENGTH})
    kinds = [unicodedata.category(each) for each in name]
    if all(kind == "Pd" for kind in kinds):  # dashes, like the name of deleted players
        raise Refused("reserved-name", {"name": name})
    is_seen = any(kind[0] in "LNS" for kind in kinds)
    # A combining mark needs something to combine with.
    has_lone_mark = any(
        kind[0] == "M" and before[0] not in "LNSM"
        for before, kind in zip(["Zs", *kinds], kinds, strict=False)
    )
    if not is_seen or has_lone_mark or BLANKS.intersection(name):
        raise Refused("invisible-name")
    if _key(name) in _reserved():
        raise Refused("reserved-name", {"name": name})


@functools.cache
def _reserved() -> frozenset[str]:
    """The keys of all names that the program uses for seats, in every language."""
    names = set(player_names())
    for language in catalogue.LANGUAGES:
        names |= set(catalogue.sentences(language)["players"].values())
    return frozenset(map(_key, names))


def _key(name: str) -> str:
    """What names have in common that look alike: letters and symbols, without case and accents.

    Numbers at the end are left out, because seats with the same name are numbered.
    """
    letters = unicodedata.normalize("NFKD", name.removesuffix("{seat}")).casefold()
    return "".join(each for each in letters if unicodedata.category(each)[0] in "LNS").rstrip(
        "0123456789"
    )

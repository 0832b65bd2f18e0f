"""Display names of seats in the reader's language."""

from __future__ import annotations

from mandala.live.events import Bot, Person
from mandala.live.store import DELETED_NAME
from mandala.live.store.rows import Kind
from mandala.live.table import Table
from mandala.text import catalogue


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

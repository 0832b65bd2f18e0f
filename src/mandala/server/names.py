"""The names of seats that people read, in the language of the reader."""

from __future__ import annotations

from mandala.live.events import Bot, Person
from mandala.live.store import DELETED_NAME
from mandala.live.store.rows import Kind
from mandala.live.table import Table
from mandala.text import catalogue


def names_of(table: Table, language: str) -> list[str]:
    """The name of each seat, empty where nobody sits; no two seats have the same.

    Of several bots of one level each is called "Bot" with its seat. A person on several seats
    shares a device with others, whose names are not known: these seats are players by number.
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
    """What a person, a bot or an open seat is called, without regard to the other seats."""
    if kind == "open":
        return catalogue.word("players", "open", language)
    if kind == "bot":
        return catalogue.sentences(language)["players"].get(name, name)
    return catalogue.word("players", "deleted", language) if name == DELETED_NAME else name


def make_distinct(names: list[str]) -> list[str]:
    """The names by seat, with the number of the seat behind each that occurs more than once."""
    while repeated := {name for name in names if name and names.count(name) > 1}:
        names = [
            f"{name} {seat}" if name in repeated else name
            for seat, name in enumerate(names, start=1)
        ]
    return names

"""The description of a game, by which the rest of the program finds its modules and files."""

from __future__ import annotations

import functools
import importlib.util
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from mandala import engine
from mandala.engine import modules
from mandala.text import catalogue
from mandala.text.errors import InvalidMove, UnknownGame
from mandala.text.notation import shorten

from .moves import Move

GAME_ID = re.compile(r"[a-z][a-z0-9]{,15}")  # 16 characters fit into the database column
MAX_SEATS = 4


@dataclass(frozen=True)
class Game:
    """A game: its identity, and the package with all code that knows its rules.

    The package has the modules `rules`, `moves`, `reasons`, `invariants`, `board`, `heuristic`,
    `features`, `render` and `narration`, and the files `en.toml`, `de.toml`, `lesson.toml`,
    `rulebook.en.toml`, `rulebook.de.toml`, `levels.toml` and `weights.npy`. CONTRIBUTING.md
    describes each of them.

    Raises ValueError for an id that is not 1 to 16 lower-case letters and digits, and for seats
    that are not rising numbers from 2 to 4.
    """

    id: str
    package: str  # such as "mandala.games.flowers"
    seats: tuple[int, ...]  # the numbers of seats it can be played with
    has_hidden_information: bool
    rules_version: str
    has_solver: bool = False  # whether the package has a module `solver`

    def __post_init__(self) -> None:
        if not GAME_ID.fullmatch(self.id):
            raise ValueError(
                f"{self.id!r} is no id of a game: 1 to 16 lower-case letters and digits"
            )
        possible = range(2, MAX_SEATS + 1)
        if not self.seats or self.seats != tuple(each for each in possible if each in self.seats):
            raise ValueError(f"{self.seats} are no numbers of seats: 2 to {MAX_SEATS}, rising")

    @functools.cached_property
    def folder(self) -> Path:
        """The folder of the package, which also holds the game's data files."""
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"there is no package {self.package!r} with an __init__.py")
        return Path(spec.origin).parent

    def module(self, name: str) -> ModuleType:
        """A module of the package as plain Python, such as `reasons`."""
        return importlib.import_module(f"{self.package}.{name}")

    def current(self, name: str) -> ModuleType:
        """A module of the package: the compiled version once the rules are compiled."""
        return engine.current(f"{self.package}.{name}", self.package)

    def compiled(self, name: str) -> ModuleType:
        """The compiled version of a module of the package."""
        return engine.compiled_module(f"{self.package}.{name}")

    @functools.cached_property
    def plain_rules(self) -> ModuleType:
        """The rules as plain Python."""
        return self.module("rules")

    @property
    def rules(self) -> ModuleType:
        """The rules: compiled once they are ready, plain Python until then. Both play the same."""
        return modules.ready_rules.get(self.package) or self.plain_rules

    @property
    def calls(self) -> ModuleType:
        """`mandala.engine.calls` for this game: compiled once the rules are."""
        return modules.ready_calls.get(self.package) or _plain_calls()

    def has_rules(self, version: str) -> bool:
        """Whether this program can play by this version of the game's rules."""
        return version == self.rules_version

    def require_rules(self, version: str) -> None:
        """Raise UnknownGame unless this program can play by this version of the rules."""
        if not self.has_rules(version):
            parts = {"version": shorten(version), "known": self.rules_version}
            raise UnknownGame("unknown-rules", parts)

    def row_of(self, move: str) -> int:
        """The row of a move in the move list. Raises InvalidMove if the text is not a move."""
        row = self.plain_rules.moves.number.get(move)
        if row is None:
            raise InvalidMove("no-move", {"text": shorten(move), "game": self.id})
        return int(row)

    def move(self, text: str) -> Move:
        """A move with named parts, from its notation. Raises InvalidMove."""
        return self.move_in_row(self.row_of(text))

    def move_in_row(self, row: int) -> Move:
        """The move in a row of the move list, with named parts."""
        move: Move = self.module("moves").make_move(row)
        return move

    def text(self, key: str, language: str) -> str:
        """A text about the game: `name`, `information`, `about` or `help`."""
        return str(catalogue.read_folder(self.folder, language)[catalogue.GAME_SECTION][key])

    def move_texts(self, language: str) -> dict[str, str]:
        """What moves do, in a few words, by the first character of their notation."""
        found: dict[str, str] = catalogue.read_folder(self.folder, language)["game"]["moves"]
        return found

    def make_ready(self) -> ModuleType:
        """Compile the rules, or load them from the cache, and return them."""
        return engine.make_ready(self.package, self.seats[0])

    def make_ready_in_background(self) -> threading.Thread:
        """Compile rules and heuristic on a thread; use them from then on."""
        return engine.make_ready_in_background(self.package, self.seats[0])


@functools.cache
def _plain_calls() -> ModuleType:
    return importlib.import_module("mandala.engine.calls")

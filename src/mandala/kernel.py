"""Record layouts and the `@rule` decorator: how rules written in Python run at the speed of C.

A position is one NumPy record. Its fields are declared once, in a `Layout`, each with who may see
it. A rule is a plain function on such a record. `mandala.games.flowers` runs as it stands; the very
same file is loaded a second time as `mandala.compiled.games.flowers`, where `@rule` compiles it. So
a file of rules imports other rules relatively, to find its like, and all else absolutely.
This is the only module that knows Numba, and it imports it only for the compiled twin.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

# Who may see a field.
PUBLIC = "public"  # everybody, spectators too
OWN = "own"  # the first index is a seat, and only that seat sees its row
HIDDEN = "hidden"  # nobody; what may be told of it is added by the game's `veil`

# `state.actor` when it is not a seat. Seats are 0, 1, … inside and 1, 2, … outside.
CHANCE = 8
NOBODY = 9

COMPILED = "mandala.compiled"

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Field:
    """One field of a record: the type of its numbers, its shape, and who sees it."""

    kind: str
    shape: tuple[int, ...]
    seen: str


def public(*shape: int, kind: str = "u1") -> Any:
    """Declare a field that everybody may see."""
    return Field(kind, shape, PUBLIC)


def own(*shape: int, kind: str = "i1") -> Any:
    """Declare a field whose row for a seat only that seat may see."""
    return Field(kind, shape, OWN)


def hidden(*shape: int, kind: str = "i1") -> Any:
    """Declare a field that nobody may see."""
    return Field(kind, shape, HIDDEN)


class Layout:
    """The fields of a game's position, in the order they are declared.

    Subclass it with one class attribute a field; `dtype` is derived. An attribute without a
    declaration is no field at all, so nothing becomes visible by forgetting to hide it.
    """

    fields: dict[str, Field]
    dtype: np.dtype[Any]

    def __init_subclass__(cls) -> None:
        cls.fields = {name: each for name, each in vars(cls).items() if isinstance(each, Field)}
        columns = [(name, each.kind, each.shape) for name, each in cls.fields.items()]
        # Packed, without padding: bytes that no field owns would spoil comparing and hashing.
        cls.dtype = np.dtype((np.record, np.dtype(columns)))
        if not cls.__module__.startswith(COMPILED):
            _homes[cls.dtype] = cls.__module__


_homes: dict[np.dtype[Any], str] = {}  # the modules of plain rules by their records


def rule(function: Function) -> Function:
    """Mark a function as part of the rules: plain Python here, compiled in the compiled twin.

    Rules that answer a question are compiled into those that ask it; rules that change the
    position are called, since putting each into all that lead to it makes compiling slow.
    """
    if not function.__module__.startswith(COMPILED):
        return function
    answers = function.__annotations__["return"] != "None"
    return _compile(function, _nrt=False, forceinline=answers)


def rule_with_arrays(function: Function) -> Function:
    """Mark a rule that makes arrays for itself; all others leave that to their callers."""
    return fast(function) if function.__module__.startswith(COMPILED) else function


def fast(function: Function) -> Function:
    """Compile a function: for loops over positions, which only ever run compiled."""
    return _compile(function)


def tight(function: Function) -> Function:
    """Compile a function that makes no arrays and returns none.

    Numba then need not count who refers to the arrays it is given: an atomic instruction at the
    start and the end of each call, which can cost more than the rule itself.
    """
    return _compile(function, _nrt=False, forceinline=True)


def _compile(function: Function, **options: bool) -> Function:
    numba, folder = _numba(), cache_folder()
    with _cache_in(folder):
        return numba.njit(  # type: ignore[no-any-return]
            cache=folder is not None, nogil=True, error_model="numpy", **options
        )(function)


# Rules of whichever game a record belongs to, for code that serves all games. The record's type
# picks the game: while it is compiled, or when a rule is called in plain Python.


def begin(state: Any, seats: int) -> None:
    """Set a record of zeros up as the start of its game."""
    raise TypeError("only for compiled code")


def legal(state: Any, rows: Any) -> int:
    """Write the actor's legal moves and return how many there are."""
    return int(_plain(state).legal(state, rows))


def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write chance's possible moves with their weights and return how many there are."""
    return int(_plain(state).chance(state, rows, weights))


def apply(state: Any, move: int) -> None:
    """Make a legal move."""
    _plain(state).apply(state, move)


def drawer(state: Any) -> int:
    """Who sees the card that chance draws next, or NOBODY when everybody does."""
    return int(_plain(state).drawer(state))


def veil(state: Any, view: Any, seat: int) -> None:
    """Add to what a seat sees of a record what may be told of the rest."""
    _plain(state).veil(state, view, seat)


def score(state: Any, seat: int) -> int:
    """The points of a seat."""
    return int(_plain(state).score(state, seat))


def tie_break(state: Any, seat: int) -> int:
    """What decides between seats level on points: more is better."""
    raise TypeError("only for compiled code")


def worths(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write a seat's legal moves and what each is worth at a glance; return how many there are."""
    raise TypeError("only for compiled code")


def settle(state: Any, dealt: Any, pile: Any) -> None:
    """Turn a view into a full position: hidden cards by their place, and the draw pile."""
    raise TypeError("only for compiled code")


def features(state: Any, seat: int, out: Any) -> int:
    """Write what a position offers a seat; return how many numbers that are."""
    raise TypeError("only for compiled code")


def _plain(state: Any) -> ModuleType:
    """The plain rules of the game that a record belongs to."""
    return sys.modules[_homes[state.dtype]]


@functools.cache
def _numba() -> ModuleType:
    """Numba, taught the functions of this module that compiled code calls."""
    import numba
    from numba.core import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def population(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def trailing_zeros(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), generate

    overload(bit_count)(lambda bits: lambda bits: population(bits))
    overload(first_bit)(lambda bits: lambda bits: trailing_zeros(bits))

    step, mix_1, mix_2 = (
        np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
    )
    by_27, by_30, by_31, by_32 = (np.uint64(shift) for shift in (27, 30, 31, 32))

    def compiled_below(generator: Any, limit: Any) -> Any:
        bits = generator[0] + step
        generator[0] = bits
        bits = (bits ^ (bits >> by_30)) * mix_1
        bits = (bits ^ (bits >> by_27)) * mix_2
        bits = bits ^ (bits >> by_31)
        return np.int64(((bits >> by_32) * np.uint64(limit)) >> by_32)

    overload(below, strict=False)(lambda generator, limit: compiled_below)

    homes = {"worths": "heuristics", "features": "appraisal"}

    def rules_of(record: Any, name: str) -> Any:
        games = f"{COMPILED}.games."
        for module in [each for key, each in sys.modules.items() if key.startswith(games)]:
            if hasattr(module, "State") and numba.from_dtype(module.State.dtype) == record:
                home = homes.get(name, "games")
                return getattr(importlib.import_module(f"{COMPILED}.{home}.{module.NAME}"), name)
        return None

    def dispatch_two(name: str) -> Callable[..., Any]:
        def choose(state: Any, other: Any) -> Any:
            chosen = rules_of(state, name)
            return lambda state, other: chosen(state, other)

        return choose

    def dispatch_three(name: str) -> Callable[..., Any]:
        def choose(state: Any, other: Any, third: Any) -> Any:
            chosen = rules_of(state, name)
            return lambda state, other, third: chosen(state, other, third)

        return choose

    def choose_worths(state: Any, seat: Any, rows: Any, weights: Any, values: Any) -> Any:
        chosen = rules_of(state, "worths")
        return lambda state, seat, rows, weights, values: chosen(state, seat, rows, weights, values)

    def choose_drawer(state: Any) -> Any:
        chosen = rules_of(state, "drawer")
        return lambda state: chosen(state)

    overload(drawer, strict=False)(choose_drawer)
    for stub in (begin, legal, apply, score, tie_break):
        overload(stub, strict=False)(dispatch_two(stub.__name__))
    for longer in (chance, settle, features, veil):
        overload(longer, strict=False)(dispatch_three(longer.__name__))
    overload(worths, strict=False)(choose_worths)
    module: ModuleType = numba
    return module


def bit_count(bits: Any) -> int:
    """How many bits of a 64-bit number are set."""
    return int(bits).bit_count()


def first_bit(bits: Any) -> int:
    """The place of the lowest bit set; the number must not be 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def below(generator: Any, limit: int) -> int:
    """A random number from 0 to limit - 1, by SplitMix64.

    `generator` is an array of one 64-bit number, which is stepped on.
    """
    mask = (1 << 64) - 1
    bits = (int(generator[0]) + 0x9E3779B97F4A7C15) & mask
    generator[0] = bits
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
    bits = bits ^ (bits >> 31)
    return ((bits >> 32) * limit) >> 32


def compiled(name: str) -> ModuleType:
    """The compiled twin of the rules module `mandala.games.<name>`."""
    return importlib.import_module(f"{COMPILED}.games.{name}")


def interpreted(name: str) -> ModuleType:
    """The rules module `mandala.games.<name>` as plain Python."""
    return importlib.import_module(f"mandala.games.{name}")


def compiled_heuristic(name: str) -> ModuleType:
    """The compiled twin of `mandala.heuristics.<name>`."""
    return importlib.import_module(f"{COMPILED}.heuristics.{name}")


def heuristic(name: str) -> ModuleType:
    """What a game's moves are worth at a glance: compiled once the rules are, plain until then.

    `make_ready` alone does not compile it: it is compiled, or loaded from the cache, on first use.
    """
    if name in _ready:
        return compiled_heuristic(name)
    return importlib.import_module(f"mandala.heuristics.{name}")


def rules(name: str) -> ModuleType:
    """The rules of a game: the compiled twin once it is ready, plain Python until then."""
    return _ready.get(name) or interpreted(name)


def calls(name: str) -> ModuleType:
    """`mandala.calls` for a game: compiled once its rules are, plain Python until then."""
    return _ready_calls.get(name) or importlib.import_module("mandala.calls")


def make_ready(name: str) -> ModuleType:
    """Compile the rules of a game, or load them from the cache, and use them from now on.

    Takes some seconds the first time on a machine, and a fraction of one after that.
    """
    module = compiled(name)
    states = np.zeros(2, module.State.dtype)
    rows = np.zeros(len(module.moves.texts), np.int16)
    weights = np.zeros(len(module.moves.texts), np.int64)
    state, view = states[0], states[1]
    module.begin(state, module.SEATS[0])
    module.chance(state, rows, weights)
    module.drawer(state)
    module.apply(state, int(rows[0]))
    module.legal(state, rows)
    module.veil(state, view, 0)
    module.score(state, 0)
    module.tie_break(state, 0)
    if hasattr(module, "lying"):
        module.lying(states[:1].copy(), np.zeros(module.SETUP_COUNT, np.uint8))
    _ready_calls[name] = _warm_calls(states, rows, weights)
    _ready[name] = module
    return module


def _warm_calls(states: Any, rows: Any, weights: Any) -> ModuleType:
    """`mandala.calls`, compiled for the game of a record in which chance moves."""
    module = importlib.import_module(f"{COMPILED}.calls")
    module.weigh(states, rows, weights)
    module.draw(states, 0, rows, weights)
    module.play(states, int(rows[0]))
    module.legal(states, rows)
    module.veil(states, states.copy(), 0)
    module.score(states, 0)
    return module


def warm_heuristic(name: str) -> None:
    """Compile what a game's heuristic needs, or load it from the cache, so that no move waits."""
    module = compiled_heuristic(name)
    states, rows = np.zeros(1, module.RECORD), np.zeros(1, np.int16)
    module.worths(states[0], 0, rows, module.WEIGHTS, np.zeros(1))


def make_ready_in_background(name: str) -> threading.Thread:
    """Compile the rules and the heuristic of a game without anybody having to wait, then use them.

    What is not in the cache yet is compiled by a child process. Until the thread ends, `rules`
    gives plain Python, which plays the same.
    """

    def work() -> None:
        folder = cache_folder()
        if folder is not None and not (stamp := folder / f"{name}.compiled").exists():
            task = f"make_ready({name!r}); warm_heuristic({name!r})"
            if not compile_on_the_side(f"from mandala.kernel import *; {task}"):
                return
            stamp.touch()
        warm_heuristic(name)
        make_ready(name)

    thread = threading.Thread(target=work, name=f"compile {name}", daemon=True)
    thread.start()
    return thread


def compile_on_the_side(task: str) -> bool:
    """Let a child process run Python that fills the compile cache; whether it went well.

    It stands back behind everything else, only one works at a time, and it ends when we do: a
    server that is killed and started again would otherwise leave one more at work each time.
    """
    stand_back = "from mandala import kernel; kernel.stand_back()"
    command = [sys.executable, "-c", f"{stand_back}\n{task}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        return child.wait() == 0


def stand_back() -> None:
    """In a child that compiles: take what others leave, wait for our turn, end with the parent."""

    def end_with_parent() -> None:
        os.read(0, 1)  # nothing is ever sent: it returns when the parent is gone
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    if os.name == "posix":
        import fcntl

        os.nice(15)
        if folder := cache_folder():
            fcntl.flock(os.open(folder / "compiling", os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)


def twin(module: str, *, of: str) -> ModuleType:
    """A module of compiled or plain functions, whichever the rules of a game are right now."""
    return importlib.import_module(f"{COMPILED if of in _ready else 'mandala'}.{module}")


_ready: dict[str, ModuleType] = {}
_ready_calls: dict[str, ModuleType] = {}


_lock = threading.Lock()
_folder: list[Path | None] = []


def cache_folder() -> Path | None:
    """Where compiled code is kept, or None when there is no writable place.

    The name holds a hash of every source that is compiled and of the compiler's version: an edit
    to one rule then never meets code compiled from another version of the rest.
    """
    with _lock:
        if not _folder:
            _folder.append(_first_writable(_cache_candidates(), _fingerprint()))
        return _folder[0]


def _cache_candidates() -> Iterator[Path]:
    if chosen := os.environ.get("MANDALA_CACHE"):
        yield Path(chosen)
    elif home := os.environ.get("XDG_CACHE_HOME"):
        yield Path(home) / "mandala"
    else:
        with contextlib.suppress(RuntimeError):  # no home folder is known
            yield Path.home() / ".cache" / "mandala"
    with contextlib.suppress(FileNotFoundError):  # no temporary folder is writable
        yield Path(tempfile.gettempdir()) / f"mandala-{os.getuid() if os.name == 'posix' else 0}"


def _first_writable(candidates: Iterator[Path], name: str) -> Path | None:
    for candidate in candidates:
        folder = candidate / name
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _fingerprint() -> str:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    digest.update(Path(__file__).read_bytes())
    for source in sorted(here.rglob("*.py")):
        if re.search(
            rb"^@(rule|rule_with_arrays|fast|tight)\b", text := source.read_bytes(), re.MULTILINE
        ):
            digest.update(source.name.encode() + b"\0" + text)
    for package in ("numba", "numpy", "llvmlite"):
        digest.update(f"{package} {metadata.version(package)}".encode())
    digest.update(sys.version.encode())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    """Let Numba keep what it compiles in the folder; the setting of others stays untouched."""
    from numba.core import config

    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if folder else before
    try:
        yield
    finally:
        config.CACHE_DIR = before

"""Write the move lists of all games as C constants: `python -m bench.reference.move_lists`.

Numba compiles the arrays of the rules into the code as constants, so the C programs get the same.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from mandala.games import find_game, game_ids

HERE = Path(__file__).parent
COLUMNS = ("KIND", "MANDALA", "COLOUR", "COUNT", "TILE_OF", "SPACE", "SETUP_ORDER")


def c_array(name: str, c_type: str, numbers: Any) -> str:
    """An array of numbers as a C constant."""
    array = np.asarray(numbers)
    shape = "".join(f"[{length}]" for length in array.shape)
    text = str(array.tolist()).replace("[", "{").replace("]", "}")
    lines = textwrap.wrap(f"static const {c_type} {name}{shape} = {text};", 100)
    return "\n".join(lines) + "\n"


def c_header(game: str) -> str:
    """The C header with the move list of a game."""
    rules = find_game(game).plain_rules
    rows = [name for name in vars(rules) if name.endswith("_ROW")]
    columns = [name for name in COLUMNS if hasattr(rules, name)]
    return (
        f"/* The moves of src/mandala/games/{game}/rules.py, written by"
        " bench/reference/move_lists.py. */\n\n"
        + "".join(c_array(name, "int16_t", getattr(rules, name)) for name in rows)
        + "".join(c_array(name, "uint8_t", getattr(rules, name)) for name in columns)
    )


if __name__ == "__main__":
    for game in game_ids():
        (HERE / f"{game}_moves.h").write_text(c_header(game), encoding="utf-8")

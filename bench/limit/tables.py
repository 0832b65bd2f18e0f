"""Write the tables of moves as C constants: `python -m bench.limit.tables`.

Numba freezes the tables of the rules into the code, so the C programs get them as constants too.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from mandala.games import find_game, game_ids

HERE = Path(__file__).parent
COLUMNS = ("KIND", "MANDALA", "COLOUR", "COUNT", "TILE_OF", "SPACE", "SETUP_ORDER")


def constant(name: str, kind: str, numbers: Any) -> str:
    table = np.asarray(numbers)
    shape = "".join(f"[{length}]" for length in table.shape)
    text = str(table.tolist()).replace("[", "{").replace("]", "}")
    lines = textwrap.wrap(f"static const {kind} {name}{shape} = {text};", 100)
    return "\n".join(lines) + "\n"


def tables(game: str) -> str:
    rules = find_game(game).plain_rules
    rows = [name for name in vars(rules) if name.endswith("_ROW")]
    columns = [name for name in COLUMNS if hasattr(rules, name)]
    return (
        f"/* The moves of src/mandala/games/{game}/rules.py, written by bench/limit/tables.py."
        " */\n\n"
        + "".join(constant(name, "int16_t", getattr(rules, name)) for name in rows)
        + "".join(constant(name, "uint8_t", getattr(rules, name)) for name in columns)
    )


if __name__ == "__main__":
    for game in game_ids():
        (HERE / f"{game}_tables.h").write_text(tables(game), encoding="utf-8")

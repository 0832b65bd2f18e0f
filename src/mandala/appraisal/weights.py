"""The weights of the appraisals, fitted to the results of games: `python -m bench.fit GAME`.

For each number of a game's `features` a weight while all is still to come, then, in the second
half, one for the end of the game. They stand apart from the rules for they are only data: new ones
need no compiling.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Weights = np.ndarray[Any, np.dtype[np.float64]]

EVALUATION: dict[str, Weights] = {
    "mandala": np.array(
        [
            -0.0289,
            0.4791,
            0.0451,
            0.1968,
            0.0406,
            0.0443,
            0.0447,
            0.0305,
            0.0037,
            0.0173,
            0.0066,
            0.4324,
            -0.0535,
            -2.4324,
            -1.3366,
            0.3082,
            0.0257,
            0.0293,
            0.1945,
            0.401,
            0.0124,
            0.0941,
            0.0675,
            0.0439,
            0.0481,
            0.0346,
            0.0487,
            -0.003,
            0.0549,
            -0.0761,
            0.0724,
            0.8045,
            0.6777,
            0.0049,
            0.0537,
            0.0249,
        ]
    ),
    "patterns": np.array(
        [
            -0.0191,
            0.2032,
            0.1409,
            -0.2041,
            0.0164,
            0.0023,
            0.1497,
            0.0415,
            0.0567,
            0.0134,
            -0.0794,
            0.0172,
            -2.377,
            0.0152,
            0.3641,
            0.4874,
            -0.1676,
            -0.0883,
            -0.195,
            0.255,
            0.0464,
            0.0192,
            0.2337,
            0.1297,
            0.3023,
            0.0049,
            0.4536,
            0.04,
        ]
    ),
    "flowers": np.array(
        [
            0.1377,
            -0.2044,
            -0.1284,
            0.0754,
            0.9547,
            0.0329,
            0.217,
            0.0716,
            0.0274,
            0.0017,
            0.0056,
            0.0043,
            0.0804,
            0.0528,
            0.0378,
            -0.0413,
            0.0481,
            0.0064,
            0.235,
            0.0513,
            0.0263,
            0.0543,
            0.4066,
            0.1338,
            0.3497,
            0.0005,
            0.0624,
            0.0345,
            0.0318,
            0.0107,
            0.0867,
            0.0902,
            0.1914,
            -0.0722,
            0.033,
            -0.0443,
        ]
    ),
}

"""The weights of the appraisals, fitted to the results of games: `python -m bench.fit GAME`.

For each number of a game's `features` a weight while all is still to come, then, in the second
half, one for the end of the game. They stand apart from the rules for they are only data: new ones
need no compiling.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Weights = np.ndarray[Any, np.dtype[np.float64]]

# fmt: off
EVALUATION: dict[str, Weights] = {
    "mandala": np.array([
        -0.0542, 0.2159, 0.0185, 0.0811, 0.0639, 0.0308, 0.0708, 0.0505, 0.0504,
        -0.0305, -0.0355, 0.2613, 0.0212, -2.5075, -2.2937, 0.1174, 0.0102, -0.0002,
        0.227, 0.5008, 0.0371, 0.0977, 0.0707, 0.0626, 0.0485, 0.0192, 0.0126,
        0.0608, 0.1334, -0.2037, 0.0437, 0.8569, 1.1488, 0.0038, 0.0622, 0.0293,
    ]),
    "patterns": np.array([
        -0.0347, 0.1869, 0.1579, -0.2836, 0.0437, -0.0023, 0.1552, 0.0497, 0.0023,
        0.0363, -0.2113, 0.0194, -2.6131, 0.1734, 0.3815, 0.4098, -0.1411, -0.0969,
        -0.0808, 0.2799, 0.1438, -0.0118, 0.3257, 0.1065, 0.1991, 0.0606, 0.6973,
        -0.0864,
    ]),
    "flowers": np.array([
        0.1201, 0.0298, -0.2158, 0.1245, 0.7208, 0.0449, 0.1927, 0.0226, 0.0247,
        0.0022, -0.0002, 0.005, 0.0993, 0.1122, 0.0799, -0.0729, 0.0386, 0.0191,
        0.2577, -0.193, -0.277, 0.0993, 0.8497, 0.0964, 0.5185, 0.1681, 0.0564,
        0.0368, 0.0346, 0.0013, 0.1292, 0.0776, 0.2278, -0.0744, 0.0268, 0.0527,
    ]),
}

"""The rules once more, compiled: the same files, loaded a second time.

`mandala.compiled.games.flowers` is `games/flowers.py` with every `@rule` turned to machine code.
"""

import mandala

__path__ = mandala.__path__

"""The rules of `mandala.games`, compiled: the same files, loaded a second time.

`mandala.compiled.flowers` is `games/flowers.py` with every `@rule` compiled to machine code.
"""

from mandala import games

__path__ = games.__path__

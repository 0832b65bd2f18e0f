"""Tree search on the rules, from what a seat may see and nothing else.

    >>> import mandala
    >>> from mandala.search import Settings, search
    >>> view = mandala.new("patterns", seed=7).play("Gk").view(1)
    >>> found = search(view, Settings(), seed=1, simulations=500)
    >>> found.move in view.legal
    True

`search` is the door; `tree` is what it compiles, and is only loaded when a search runs.
"""

from .thinking import Found, Line, Settings, Watch, is_warm, search, warm_up

__all__ = ["Found", "Line", "Settings", "Watch", "is_warm", "search", "warm_up"]

"""Monte Carlo tree search from the view of a seat.

    >>> import mandala
    >>> from mandala.bots.search import Settings, search
    >>> view = mandala.new("patterns", seed=7).play("Gk").view(1)
    >>> result = search(view, Settings(), seed=1, simulations=500)
    >>> result.move in view.legal
    True

`driver` has `search`; `tree` is the compiled part, which is loaded when a search runs.
"""

from .driver import MoveStats, SearchResult, Settings, Watch, is_warm, search, warm_up

__all__ = ["MoveStats", "SearchResult", "Settings", "Watch", "is_warm", "search", "warm_up"]

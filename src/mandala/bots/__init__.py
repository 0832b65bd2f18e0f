"""Players that choose moves: random, greedy and search; matches between them."""

"""Bots: random, greedy and search players, and matches between them."""

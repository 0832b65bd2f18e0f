"""The rules of each game, and nothing but the rules."""

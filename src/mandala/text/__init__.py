"""Errors, sentences in every language, and the spelling of moves. Knows no game."""

"""Errors, the catalogue of sentences in all languages, and move notation. Knows no game."""

"""What a position promises each seat: one file a game, for a search that looks no further."""

"""What a position is worth to a seat at a glance: one file a game."""

"""The limit of speed: the rules told again in C."""

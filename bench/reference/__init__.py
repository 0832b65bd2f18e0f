"""The rules in plain C, as a reference for the speed of the compiled rules."""

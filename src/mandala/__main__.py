"""`python -m mandala` is the command `mandala`."""

from mandala.cli import main

main()

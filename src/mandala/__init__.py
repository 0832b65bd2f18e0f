"""Mandala, Patterns and Flowers: three games whose rules are Python at the speed of C."""

__version__ = "0.1.0"

"""Bit operations and random numbers for plain and compiled code."""

from __future__ import annotations

from typing import Any


def bit_count(bits: Any) -> int:
    """The number of bits that are set in a 64-bit number."""
    return int(bits).bit_count()


def first_bit(bits: Any) -> int:
    """The index of the lowest set bit; the number must not be 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def random_below(generator: Any, limit: int) -> int:
    """A random number from 0 to limit - 1, by SplitMix64.

    `generator` is an array of one 64-bit number, its state, which is advanced.
    """
    mask = (1 << 64) - 1
    bits = (int(generator[0]) + 0x9E3779B97F4A7C15) & mask
    generator[0] = bits
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
    bits = bits ^ (bits >> 31)
    return ((bits >> 32) * limit) >> 32

"""Whether a record can be a position of Flowers."""

from __future__ import annotations

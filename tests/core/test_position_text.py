"""Fields of records as text: numbers too large for one sign."""

from __future__ import annotations

import pytest

from mandala import InvalidPosition
from mandala.core.position_text import read_fields, write_fields
from mandala.engine import Layout, public


class Large(Layout):
    """A layout with numbers of every size."""

    small = public()
    coins = public(2, kind="u2")
    spaces = public(kind="u8")


def test_large_numbers_are_hexadecimal() -> None:
    states = read_fields("example", Large, "~ ffff/a 8000000000000000", 1)
    assert (states["small"][0], states["coins"][0].tolist()) == (63, [65535, 10])
    assert states["spaces"][0] == 1 << 63
    assert write_fields(Large, states[0]) == "~ ffff/a 8000000000000000"


@pytest.mark.parametrize("coins", ["10000/a", "-1/a", "a", "a/b/c", "g/a"])
def test_numbers_that_do_not_fit_their_field_are_refused(coins: str) -> None:
    with pytest.raises(InvalidPosition, match=r"does not fit the field 'coins'"):
        read_fields("example", Large, f"0 {coins} 0", 1)

"""Every example in a docstring runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import mandala

HOME = Path(mandala.__file__).parent
WITH_EXAMPLES = sorted(
    ".".join(["mandala", *path.relative_to(HOME).with_suffix("").parts]).removesuffix(".__init__")
    for path in HOME.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried
    assert not failed

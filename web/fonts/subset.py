"""Write the page's two fonts: subsets of the variable fonts in node_modules, with their licences.

Needs `pip install fonttools==4.68.0 brotli==1.2.1` and `npm ci`; then `python web/fonts/subset.py`.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset  # type: ignore[import-not-found,unused-ignore]
from fontTools.ttLib import TTFont  # type: ignore[import-not-found,unused-ignore]
from fontTools.varLib import instancer  # type: ignore[import-not-found,unused-ignore]

WEB = Path(__file__).parents[1]
PACKAGES = WEB / "node_modules/@fontsource-variable"
# Names of people may have any letter of Latin-1; the rest is in the page's own texts.
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’‚“”„…−Œœ€")]


@dataclass(frozen=True)
class Face:
    """A font of the page: its source, and the range or the value of each of its axes."""

    name: str
    source: str
    axes: dict[str, float | tuple[float, float]]
    features: tuple[str, ...]


FACES = [
    Face(
        "text",
        "nunito/files/nunito-latin-wght-normal.woff2",
        {"wght": (400, 800)},
        ("kern", "mark"),
    ),
    Face(
        "display",
        "fraunces/files/fraunces-latin-full-normal.woff2",
        {"wght": 600, "opsz": 48, "SOFT": 100, "WONK": 0},
        ("kern", "mark"),
    ),
]


def write(face: Face) -> None:
    """Write one font and its licence."""
    source = PACKAGES / face.source
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(
        layout_features=list(face.features), notdef_outline=True, name_IDs=[0, 1, 2, 13, 14]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    instancer.instantiateVariableFont(font, face.axes, inplace=True)
    font.flavor = "woff2"
    target = WEB / f"src/look/fonts/{face.name}.woff2"
    font.save(target)
    shutil.copyfile(source.parents[1] / "LICENSE", WEB / f"public/fonts/{face.name}.txt")
    print(f"{target.name}: {target.stat().st_size:,} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    for face in FACES:
        write(face)

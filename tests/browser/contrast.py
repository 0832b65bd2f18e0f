"""Contrast of every text on a page, measured from pixels.

A checker of styles cannot judge text on textures or drawings. So two screenshots are taken, with
the text and without it: letters are where they differ, and the second one shows the background.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page

LEAST, LEAST_LARGE = 4.5, 3.0
IGNORED_PERCENT = 2  # of the background pixels ignored, for edges between two backgrounds
# All visible text with its position, colour and size; text behind an open dialog is left out.
WRITTEN = """() => {
  const root = document.querySelector('dialog[open]') ?? document.body
  const found = []
  // What lies above a text and hides what is below.
  const isOpaque = (each) =>
    Number(getComputedStyle(each).backgroundColor.match(/[\\d.]+/g)?.[3] ?? 1) > 0.9
  // Notices float above the page for a moment, and their shadow dims the text beside them.
  const floating = [...document.querySelectorAll('body *')].filter((each) => {
    const { position, boxShadow } = getComputedStyle(each)
    return position === 'fixed' && boxShadow !== 'none'
  })
  const shaded = (each) => {
    const sizes = getComputedStyle(each).boxShadow.matchAll(/([\\d.]+)px/g)
    const reach = 2 * Math.max(...[...sizes].map(([, size]) => Number(size)))
    const { left, top, right, bottom } = each.getBoundingClientRect()
    return [left - reach, top - reach, right + reach, bottom + reach]
  }
  const covers = (element, x, y, width, height) => {
    const above = new Set()
    for (const across of [0.02, 0.25, 0.5, 0.75, 0.98]) {
      for (const down of [0.1, 0.5, 0.9]) {
        const under = document.elementsFromPoint(x + across * width, y + down * height)
        under.slice(0, Math.max(0, under.indexOf(element))).forEach((each) => above.add(each))
      }
    }
    const hiding = [...above].filter((each) => !element.contains(each) && isOpaque(each))
    const boxes = hiding.map((each) => {
      const { left, top, right, bottom } = each.getBoundingClientRect()
      return [left, top, right, bottom]
    })
    return [...boxes, ...floating.filter((each) => !each.contains(element)).map(shaded)]
  }
  const add = (element, text, boxes) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return
    if (element.closest('.unseen, option, title, script, style')) return
    const { color, fill, fontSize, fontWeight } = getComputedStyle(element)
    let opacity = 1
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight]
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      opacity *= Number(style.opacity)
      if (style.overflow === 'visible' || at === document.documentElement) continue
      const clip = at.getBoundingClientRect()
      left = Math.max(left, clip.left)
      top = Math.max(top, clip.top)
      right = Math.min(right, clip.right)
      bottom = Math.min(bottom, clip.bottom)
    }
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24)
    const ink = element.closest('svg') ? fill : color
    for (const each of boxes) {
      const [x, y] = [Math.max(left, each.left), Math.max(top, each.top)]
      const [width, height] = [Math.min(right, each.right) - x, Math.min(bottom, each.bottom) - y]
      if (width > 1 && height > 1) {
        const box = [x, y, width, height]
        found.push({ text, ink, opacity, isLarge, box, covers: covers(element, ...box) })
      }
    }
  }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim()
    if (!text) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    add(walker.currentNode.parentElement, text, range.getClientRects())
  }
  // A field's frame and arrow are no text.
  for (const field of root.querySelectorAll('input:not(.unseen), select, textarea')) {
    const { left, top, right, bottom } = field.getBoundingClientRect()
    const inside = { left: left + 6, top: top + 4, right: right - 30, bottom: bottom - 4 }
    add(field, field.value, [inside])
  }
  return found
}"""
HIDE_TEXT = """() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`* { -webkit-text-fill-color: transparent !important; }
    svg text, svg text * { fill: transparent !important; }`)
  document.adoptedStyleSheets = [sheet]
}"""


@dataclass(frozen=True)
class Reading:
    """A text, its lowest contrast with the background, and the required contrast."""

    text: str
    contrast: float
    needed: float

    def __str__(self) -> str:
        return f"{self.contrast:.2f} of {self.needed}: {self.text[:60]}"


def readings(page: Page) -> list[Reading]:
    """Return the readings of all visible texts of a page, including those out of the viewport."""
    size = page.viewport_size
    assert size is not None
    height = int(page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": size["width"], "height": max(height, size["height"])})
    page.wait_for_timeout(60)
    try:
        written: list[dict[str, Any]] = page.evaluate(WRITTEN)
        with_text = _pixels(page)
        page.evaluate(HIDE_TEXT)
        without = _pixels(page)
    finally:
        page.evaluate("document.adoptedStyleSheets = []")
        page.set_viewport_size(size)
    return [each for entry in written if (each := _read(entry, with_text, without)) is not None]


def _pixels(page: Page) -> np.ndarray:
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return np.asarray(picture, dtype=np.float64)


def _read(entry: dict[str, Any], with_text: np.ndarray, without: np.ndarray) -> Reading | None:
    x, y, width, height = (round(each) for each in entry["box"])
    part = np.s_[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)]
    is_bare = np.ones(with_text.shape[:2], dtype=bool)
    for left, top, right, bottom in np.maximum(entry["covers"], 0):
        is_bare[int(top) : ceil(bottom), int(left) : ceil(right)] = False
    seen, ground = with_text[part][is_bare[part]], without[part][is_bare[part]]
    ink = np.array([float(each) for each in entry["ink"].strip("rgba()").split(",")[:3]])
    ink = ink * entry["opacity"] + ground * (1 - entry["opacity"])
    # A pixel that a letter of this ink fills by two thirds, not one of a text that lies above it.
    change = np.abs(seen - ground).sum(axis=1)
    is_letter = (change > 4) & (np.abs(seen - ink).sum(axis=1) <= change / 2)
    if not is_letter.any():
        return None
    one, other = _luminance(ink[is_letter]), _luminance(ground[is_letter])
    contrast = (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)
    needed = LEAST_LARGE if entry["isLarge"] else LEAST
    return Reading(entry["text"], float(np.percentile(contrast, IGNORED_PERCENT)), needed)


def _luminance(colours: np.ndarray) -> np.ndarray:
    parts = colours / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    luminance: np.ndarray = linear @ np.array([0.2126, 0.7152, 0.0722])
    return luminance

"""Boards as text and as images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELL = 24
"""The side of a cell in an image, in pixels."""

_SIGNS = np.array(["·", "○", "X", "#"])
"""Not fired at, miss, hit, the hit that sank a ship."""

_COLOURS = np.array([[214, 228, 240], [120, 160, 200], [220, 90, 60], [130, 25, 20]], dtype=np.uint8)
_LINES = np.array([255, 255, 255], dtype=np.uint8)


def text(observation: NDArray[np.int16]) -> str:
    """A board as lines of signs, with rows and columns named.

    >>> print(text(np.array([[0, 1], [2, 15]], dtype=np.int16)))
       1 2
     A · ○
     B X #
    """
    rows, cols = observation.shape
    head = "   " + " ".join(f"{col + 1:>1}" if cols < 10 else f"{col + 1:>2}" for col in range(cols))
    signs = _SIGNS[observation & 3]
    width = 1 if cols < 10 else 2
    lines = [f"{_row_name(row):>2} " + " ".join(f"{sign:>{width}}" for sign in signs[row]) for row in range(rows)]
    return "\n".join([head, *lines])


def image(observation: NDArray[np.int16]) -> NDArray[np.uint8]:
    """A board as an image of (rows × 24, columns × 24, 3)."""
    pixels = _COLOURS[observation & 3].repeat(CELL, axis=0).repeat(CELL, axis=1)
    pixels[::CELL] = _LINES
    pixels[:, ::CELL] = _LINES
    return np.ascontiguousarray(pixels)


def _row_name(row: int) -> str:
    return chr(65 + row) if row < 26 else chr(64 + row // 26) + chr(65 + row % 26)

"""Recall at K, the field's protocol, on anybody's vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _hinny

if TYPE_CHECKING:  # loaded for checkers alone: `import hinny` stays quick
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Recall:
    """Percentages. i2t, t2i: recall at 1, 5 and 10 from image to text and from text to image; mR: the mean
    of the six."""

    i2t: tuple[float, float, float]
    t2i: tuple[float, float, float]
    mR: float


def _rows(name, values):
    values = np.asarray(values, dtype=np.float32)
    if values.ndim != 2:
        raise ValueError(f"{name} of shape {list(values.shape)} (expected [rows, dim])")
    return values


def recall(images: ArrayLike, captions: ArrayLike, owners: ArrayLike) -> Recall:
    """Recall both ways.

    images [n, dim], captions [m, dim]: compared by dot product (give rows of length 1 for cosines).
    owners [m]: for each caption the row of its image.
    From an image, any of its captions among the first K is a hit. A wrong item with the same score stands
    before the right one, so ties do not help; NaN is a miss.
    """
    images, captions = _rows("images", images), _rows("captions", captions)
    if images.shape[1] != captions.shape[1]:
        raise ValueError(f"images of {images.shape[1]} numbers, captions of {captions.shape[1]} (expected as many)")
    owners = np.asarray(owners)
    if owners.ndim != 1 or owners.dtype.kind not in "iu":
        raise ValueError(f"owners of shape {list(owners.shape)}, {owners.dtype} (expected [captions], whole numbers)")
    if owners.size and (owners.min() < 0 or owners.max() >= len(images)):
        raise ValueError(f"owners from {owners.min()} to {owners.max()} (expected 0 to {len(images) - 1})")
    found = _hinny.recall(images, captions, owners.astype(np.int32), images.shape[1])
    return Recall(found[:3], found[3:6], found[6])

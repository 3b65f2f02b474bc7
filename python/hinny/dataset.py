"""Folders that Hinny reads and writes, as plain Python: datasets, features, runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .text import one_line

if TYPE_CHECKING:  # loaded for checkers alone: `import hinny` stays quick
    from numpy.typing import NDArray


def _lines(path):
    """Numbered lines of a text file, plain or gzip-compressed under the same name, as the program reads them.

    Only LF ends a line, with or without CR before it: an id may hold U+0085 or U+2028, which str.splitlines() parts.
    """
    import gzip  # here: it is slow to load, and few files need it

    with open(path, "rb") as file:
        start = file.read(4)
    opened = gzip.open if start[:2] == b"\x1f\x8b" else open
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError(f"{one_line(path)}: is UTF-16 text (expected UTF-8; iconv -f UTF-16 -t UTF-8 converts it)")
    with opened(path, "rt", encoding="utf-8-sig", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if number == 1 and "\r" in line[:-1] and not line.endswith("\n"):
                raise ValueError(f"{one_line(path)}: lines that end in CR alone, as on old Macs (expected LF or CR LF)")
            yield number, line.removesuffix("\n").removesuffix("\r")


def _objects(path):
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except ValueError as problem:
            raise ValueError(f"{one_line(path)}:{number}: {problem} (expected a JSON object)") from None


class Dataset:
    """A dataset folder: images.jsonl, captions.jsonl, features/ (docs/formats/dataset.md).

    A name is a folder, or else one below the folder that HINNY_DATA names.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = os.fspath(path)
        if not os.path.isdir(self.path) and "HINNY_DATA" in os.environ:
            self.path = os.path.join(os.environ["HINNY_DATA"], self.path)
        self.images = list(_objects(os.path.join(self.path, "images.jsonl")))
        self._captions = None

    def ids(self, split: str | None = None) -> list[str]:
        """Ids of the images, of a split or of all, in the file's order."""
        return [image["image"] for image in self.images if split is None or image.get("split") == split]

    def captions(self, lang: str | None = None, split: str | None = None) -> list[tuple[str, str]]:
        """[(image id, text)], in the file's order; of a language, of a split's images, or all."""
        if self._captions is None:
            self._captions = list(_objects(os.path.join(self.path, "captions.jsonl")))
        wanted = None if split is None else set(self.ids(split))
        return [(c["image"], c["text"]) for c in self._captions
                if (lang is None or c["lang"] == lang) and (wanted is None or c["image"] in wanted)]

    def features(self, name: str) -> Features:
        return Features(os.path.join(self.path, "features"), name)

    def __repr__(self) -> str:
        return f"hinny.Dataset({self.path!r}): {len(self.images)} images"


class Features:
    """One feature file of a dataset: `values`, an array mapped from the file, and `ids` of its rows."""

    def __init__(self, folder: str, name: str):
        self.name = name
        self.values = np.load(os.path.join(folder, name + ".npy"), mmap_mode="r")
        self.ids = [id for _, id in _lines(os.path.join(folder, "ids.txt"))]
        if len(self.ids) != len(self.values):
            raise ValueError(f"{one_line(folder)}/{name}.npy: {len(self.values)} rows (expected {len(self.ids)}, as ids.txt has)")

    def of(self, ids: Sequence[str]) -> NDArray[np.float32]:
        """Rows of these images, float32 [ids, ...]."""
        rows = {id: row for row, id in enumerate(self.ids)}
        missing = next((id for id in ids if id not in rows), None)
        if missing is not None:
            raise KeyError(f"{self.name}: no row for image {missing!r} (ids.txt has {self.ids[:1]} and so on)")
        return np.asarray(self.values[[rows[id] for id in ids]], dtype=np.float32)


class Run:
    """A run folder that `hinny train` wrote: what it measured on the way."""

    def __init__(self, path: str | os.PathLike):
        self.path = os.fspath(path)

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """A dict for each line of metrics.jsonl, in order."""
        return list(_objects(os.path.join(self.path, "metrics.jsonl")))

    def __repr__(self) -> str:
        return f"hinny.Run({self.path!r})"

"""What an index folder holds, as docs/formats/index.md says; and what it should."""
import json
import os
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "reference"))
from index_names import ids_of  # noqa: E402


def text(path):
    """A name as Hinny writes it: bytes that are no UTF-8 as private characters."""
    return "".join(chr(ord(c) - 0xDC00 + 0xEF00) if "\udc80" <= c <= "\udcff" else c for c in path)


def name_of(words):
    return "".join(chr(ord(c) - 0xEF00 + 0xDC00) if "\uef80" <= c <= "\uefff" else c for c in words)


def moment(nanoseconds):
    if -2**63 <= nanoseconds < 2**63:
        return nanoseconds
    return f"{nanoseconds // 10**9}.{nanoseconds % 10**9:09}"


class Stored:
    """An index folder, read: `ids`, `vectors` [ids, dim], and of a folder of pictures `files` and those `away`."""

    def __init__(self, folder):
        contents = json.loads((folder / "index.json").read_text())
        self.ids = ids_of(folder)
        self.vectors = numpy.load(folder / "vectors.npy") if self.ids else numpy.zeros((0, contents["dim"]), "f4")
        self.first, self.files = read_lines(folder / "pictures.jsonl")
        self.away = read_lines(folder / "away" / "pictures.jsonl")[1]


def read_lines(file):
    if not file.exists():
        return None, []
    first, *files = map(json.loads, file.read_text().splitlines())
    return first, files


class Known:
    """Of each content of the pool: its hash, its size in pixels and its vector, as an index of it alone has them."""

    def __init__(self, folder):
        stored = Stored(folder)
        self.hash, self.pixels, self.vector = {}, {}, {}
        for record in stored.files:
            name = os.path.splitext(record["file"])[0]
            self.hash[name] = record["content"]
            self.pixels[name] = {side: record[side] for side in ("width", "height") if side in record}
        for name, vector in zip(stored.ids, stored.vectors):
            self.vector[os.path.splitext(name)[0]] = vector


def file_line(path, record, known):
    """The line of pictures.jsonl, but for why it is broken."""
    line = {"file": text(path), "size": record.size, "modified": moment(record.time),
            "content": known.hash[record.content.name] if record.content else ""}
    facts = record.facts or {}
    line.update({name: facts[name] for name in ("taken", "taken_from", "camera", "lens") if name in facts})
    if "latitude" in facts:
        line["place"] = f"{facts['latitude']:.6f},{facts['longitude']:.6f}"
    if record.raw:
        line["raw"] = [text(name) for name in record.raw]
    if record.broken:
        line["broken"] = True
    elif record.content:
        line.update(known.pixels[record.content.name])
    return line


def difference(stored, collection, known):
    """-> how an index is not what the model says, or None"""
    images = collection.images()
    ids = [text(path) for path, _ in images]
    if stored.ids != ids:
        return f"images {differing(stored.ids, ids)}"
    for row, (path, record) in zip(stored.vectors, images):
        if not numpy.array_equal(row, known.vector[record.content.name]):
            of = [name for name, vector in known.vector.items() if numpy.array_equal(row, vector)]
            return f"{path!r} has the vector of {of or 'nothing known'} instead of {record.content.name}"
    if collection.exclude != stored.first.get("exclude", []):
        return f"remembers to exclude {stored.first.get('exclude')}, expected {collection.exclude}"
    found = [{**line, "broken": True} if "broken" in line else line for line in stored.files]
    wanted = [file_line(path, record, known)
              for path, record in sorted(collection.records.items(), key=lambda one: os.fsencode(one[0]))]
    for one, other in zip(found, wanted):
        if one != other:
            return f"record {one}, expected {other}"
    if len(found) != len(wanted):
        return f"{len(found)} records, expected {len(wanted)}"
    away = sorted((line["file"], line["content"], line["left"]) for line in stored.away)
    wanted = sorted((text(path), known.hash[content.name], str(left)) for path, content, left in collection.away)
    return None if away == wanted else f"away {differing(away, wanted)}"


def differing(found, wanted):
    more, less = [one for one in found if one not in wanted], [one for one in wanted if one not in found]
    return f"too many: {more}, missing: {less}" if more or less else f"in the order {found}, expected {wanted}"

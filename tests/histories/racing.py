"""An index of a folder that changed while it was read: what it may hold, and what it says that it holds."""
import datetime
import os

from collection import Collection, Record, facts_of
from running import Wrong
from stored import name_of


class Moments:
    """Which contents each file has had, by path; None where it could not be read, or was being written."""

    def __init__(self, tree, before):
        self.tree = tree
        self.seen = {path: {record.content, None} for path, record in (before.records or {}).items()}
        self.look()

    def look(self):
        for folder, _, names in os.walk(self.tree.root):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.tree.root)
                self.seen.setdefault(path, {None}).add(self.tree.content(path))

    def had(self, path, content):
        return path not in self.seen or content in self.seen[path]  # else it was found behind a link


class Status:
    """What a record says of a file."""

    def __init__(self, line):
        self.st_size, time = line["size"], line["modified"]
        if isinstance(time, str):
            seconds, rest = time.split(".")
            time = int(seconds) * 10**9 + int(rest)
        self.st_mtime_ns = time


def adopted(stored, exclude, known, pool, moments):
    """-> the Collection that an index is by its own account; Wrong where its vectors are not those of what it names"""
    of_hash = {known.hash[name]: content for name, content in pool.items()}
    records, rows = {}, iter(zip(stored.ids, stored.vectors))
    for line in stored.files:
        path, content = name_of(line["file"]), of_hash.get(line["content"])
        if not moments.had(path, content):
            raise Wrong(f"in a race: {path!r} never was {content.name}")
        if "broken" in line and content and not content.broken:
            content = None
        records[path] = Record(Status(line), content, content and facts_of(path, content), line.get("raw", ()))
        if "broken" in line:
            continue
        ident, row = next(rows)
        if ident != line["file"] or content is None or not (row == known.vector[content.name]).all():
            raise Wrong(f"in a race: {ident} has not the vector of what {line} says")
    away = [(name_of(line["file"]), of_hash[line["content"]], datetime.date.fromisoformat(line["left"]))
            for line in stored.away]
    return Collection(records, away, exclude)

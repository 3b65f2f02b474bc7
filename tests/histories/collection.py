"""What the index of a folder of pictures must hold: a plain model of docs/search-your-pictures.md."""
import collections
import datetime
import os
import re

from finding import find

AWAY_DAYS = 30
NOTHING = "nothing"  # no picture can be read: the command fails, the index stays


class Record:
    """A file. `content`: its Content, None where it could not be read; `facts`: as of when it was read."""

    def __init__(self, status, content=None, facts=None, raw=()):
        self.size, self.time = status.st_size, status.st_mtime_ns
        self.content, self.facts, self.raw = content, facts, list(raw)

    @property
    def broken(self):
        return self.content is None or self.content.broken


def day(seconds):
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=seconds // 86400)


def facts_of(path, content):
    """What is known of a picture, but for its file's time."""
    facts = {}
    given = content.facts
    in_name = re.search(r"IMG_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)", os.path.basename(path), re.IGNORECASE)
    if "taken" in given:
        date, time = given["taken"].split()
        facts["taken"], facts["taken_from"] = f"{date.replace(':', '-')} {time}", "exif"
    elif in_name:
        year, month, date, hour, minute, second = in_name.groups()
        facts["taken"], facts["taken_from"] = f"{year}-{month}-{date} {hour}:{minute}:{second}", "name"
    if "camera" in given:
        facts["camera"] = given["camera"][2]
    if "lens" in given:
        facts["lens"] = given["lens"]
    if "place" in given:
        facts["latitude"], facts["longitude"] = given["place"]
    return facts


class Collection:
    """The state of an index. `records`: of files by path, None where there is no index; `away`: (path, content, day)."""

    def __init__(self, records=None, away=(), exclude=()):
        self.records, self.away, self.exclude = records, list(away), list(exclude)

    def images(self):
        """-> [(path, Record)] in the index's order"""
        there = [(path, record) for path, record in (self.records or {}).items() if not record.broken]
        return sorted(there, key=lambda one: os.fsencode(one[0]))

    def contents(self):
        return {record.content.name for _, record in self.images()}

    def indexed(self, tree, exclude=None, today=None):
        """-> the state after `hinny index --pictures`, or NOTHING, and what it must count"""
        exclude = self.exclude if exclude is None else [one for one in exclude if one]
        if not os.access(tree.root, os.R_OK | os.X_OK):
            return NOTHING, {}
        found, raw, hidden = find(tree.root, exclude)
        before, records = self.records or {}, {}
        for path, status in found.items():
            record = Record(status, raw=raw.get(path, ()))
            old = before.get(path)
            if old and old.content and (old.size, old.time) == (record.size, record.time):
                record.content, record.facts = old.content, old.facts
            else:
                record.content = tree.content(path)
                record.facts = facts_of(path, record.content) if record.content else None
            records[path] = record
        for unseen in hidden:
            for path, record in before.items():
                if unseen in ("", path) or path.startswith(unseen + "/"):
                    records[path] = record
        after = Collection(records, exclude=exclude)
        if not after.images():
            return NOTHING, {}
        after.away = self.still_away(tree, after, today)
        return after, self.counts(after)

    def still_away(self, tree, after, today):
        contents, away = after.contents(), []
        mine = [(path, record.content, today) for path, record in self.images()]
        for path, content, left in self.away + mine:
            if path in after.records or content.name in contents:
                continue
            if (today - left).days > AWAY_DAYS or not is_away(tree.root / os.path.dirname(path)):
                continue
            contents.add(content.name)
            away.append((path, content, left))
        return away

    def counts(self, after):
        before, counts = self.records or {}, collections.Counter()
        gone = [record.content and record.content.name for path, record in before.items() if path not in after.records]
        was_image, was_away = self.contents(), {content.name for _, content, _ in self.away}
        seen = set()
        for path, record in sorted(after.images(), key=lambda one: os.fsencode(one[0])):
            name, old = record.content.name, before.get(path)
            copy = name in seen or name in was_image
            seen.add(name)
            if old:
                counts["kept" if old.content is record.content else "changed"] += 1
            elif name in gone:
                counts["moved"] += 1
                gone.remove(name)
            elif copy:
                counts["copies"] += 1
            else:
                counts["returned" if name in was_away else "added"] += 1
        counts["removed"] = len(gone)
        counts["images"] = len(after.images())
        counts["away"] = len(after.away)
        counts["raw"] = sum(len(record.raw) for record in after.records.values())
        counts["encoded"] = len(seen - was_image - was_away)
        return counts


def is_away(folder):
    try:
        return all(name.startswith(".") for name in os.listdir(folder))
    except OSError:
        return True

"""Answers to questions by brute force, and whether those that were given are the same."""
import calendar
import datetime
import json
import math
import os
import re
import unicodedata

import numpy

from questions import HEARD
from running import Wrong
from stored import text

NEAR_COPIES = 0.93
CLOSE = 2e-6  # scores of other pictures that are nearer than this may stand either way
EARTH = 6371.0


def seconds(moment):
    return calendar.timegm(moment.timetuple())


def period(words):
    """'2021-06' -> its first second, and the first behind it"""
    numbers = [int(one) for one in re.findall(r"\d+", words)]
    begin = datetime.datetime(*(numbers + [1, 1])[:3] if len(numbers) < 3 else numbers)
    if len(numbers) == 1:
        return seconds(begin), seconds(begin.replace(year=begin.year + 1))
    if len(numbers) == 2:
        return seconds(begin), seconds(begin) + 86400 * calendar.monthrange(*numbers)[1]
    return seconds(begin), seconds(begin) + (86400 if len(numbers) == 3 else 60)


def kilometres(words):
    number, unit = re.fullmatch(r"([0-9.]+)(m|km|mi)", words).groups()
    return float(number) * {"m": 0.001, "km": 1, "mi": 1.609344}[unit]


def distance(a, b):
    (lat1, lon1), (lat2, lon2) = ((math.radians(v) for v in place) for place in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(h))


class Image:
    """Of an index: its id, its vector, and what is known of it."""

    def __init__(self, ident, vector, path=None, record=None):
        self.id, self.vector, self.path, self.facts, self.raw = ident, vector, path or ident, {}, []
        self.time = None
        if record is not None:
            self.facts, self.raw = dict(record.facts), record.raw
            if "taken" in self.facts:
                self.time = seconds(datetime.datetime.fromisoformat(self.facts["taken"]))
            else:
                self.time = record.time // 10**9
                moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=self.time)
                self.facts["taken"], self.facts["taken_from"] = moment.isoformat(" "), "file"


def images_of(collection, known):
    return [Image(text(path), known.vector[record.content.name], path, record) for path, record in collection.images()]


def below(images, folder, root):
    """Those of a folder: as the index names it; else where links lead; else in other letters."""
    def those(of, form=str):
        where = os.path.relpath(os.path.normpath(of), root)
        if where == "." or where.split("/")[0] == "..":
            return set(images) if os.path.relpath(root, os.path.normpath(of)).split("/")[0] != ".." else set()
        return {image for image in images if form(image.path).startswith(form(where) + "/")}
    asked = os.path.join(root, folder)
    return (those(asked) or (those(os.path.realpath(asked)) if os.path.exists(asked) else set()) or
            those(asked, lambda name: unicodedata.normalize("NFC", name)))


def allowed(images, question, root):
    left = set(images)
    if question.get("in"):
        left &= below(images, question["in"], root)
    if question.get("q", [""])[0].endswith(HEARD):
        question = {**question, "since": HEARD, "until": HEARD}
    if "since" in question:
        left = {image for image in left if image.time >= period(question["since"])[0]}
    if "until" in question:
        left = {image for image in left if image.time < period(question["until"])[1]}
    if "near" in question:
        place, within = tuple(map(float, question["near"].split(","))), kilometres(question.get("within", "1km"))
        left = {image for image in left if "latitude" in image.facts and
                distance((image.facts["latitude"], image.facts["longitude"]), place) <= within}
    for name in ("camera", "lens"):
        for word in question.get(name, "").lower().split():
            left = {image for image in left if word in image.facts.get(name, "").lower()}
    return set() if question.get("kind") == "film" else left


def vector_of(question, sentence, images, words):
    """Of one question, or None where it has none that says anything."""
    by_id = {image.id: image for image in images}
    parts = [(words[question["lang"], sentence.removesuffix(HEARD)], 1)] if sentence else []
    parts += [(words["image", question["image"]], question.get("image_weight", 1))] if "image" in question else []
    parts += [(by_id[ident].vector, question.get("image_weight", 1)) for ident in question.get("like", [])]
    parts += [(words[also.split("=")[0], also.split("=")[1]], 1) for also in question.get("also", [])]
    parts += [(words[question["lang"], one], -question.get("not_weight", 0.5)) for one in question.get("not", [])]
    if len(parts) == 1 and parts[0][1] == 1:
        return parts[0][0]
    total = sum(weight * vector.astype("f8") for vector, weight in parts)
    length = numpy.linalg.norm(total)
    return total / length if length > 1e-3 else None


class Unclear(Exception):
    """What is asked lies on an edge, where rounding decides."""


def ranked(vector, images, question, root):
    """-> [(image, score)] of all that may be found, in order"""
    own = set(question.get("like", []))
    left = allowed(images, question, root)
    of_vector = {}
    for image in images:
        key = image.vector.tobytes()
        if key not in of_vector:
            of_vector[key] = float(image.vector.astype("f8") @ vector.astype("f8"))
    scores = sorted(of_vector.values())
    if any(b - a < CLOSE for a, b in zip(scores, scores[1:])):
        raise Unclear
    least = question.get("min_score", -math.inf)
    if any(abs(score - least) < CLOSE for score in scores):
        raise Unclear
    hits = [(image, of_vector[image.vector.tobytes()]) for image in images if image in left and image.id not in own]
    hits = [hit for hit in hits if hit[1] >= least]
    hits.sort(key=lambda hit: -hit[1])  # stable: equal ones stay in the index's order
    if question.get("sort") == "time" and "min_score" in question:
        hits.sort(key=lambda hit: -hit[0].time)
    return hits


def answer(vector, images, question, root):
    """-> [(image, score, [copies])]"""
    k, results = question.get("k", 10), []
    for image, score in ranked(vector, images, question, root):
        original = next((one for one in results if is_copy(one[0], image)), None) if question.get("near_copies") else None
        if original:
            original[2].append((image, score))
        elif len(results) < k:
            results.append((image, score, []))
    if question.get("sort") == "time":
        results.sort(key=lambda one: -one[0].time)
    return results


def is_copy(one, other):
    cosine = float(one.vector.astype("f8") @ other.vector.astype("f8"))
    if abs(cosine - NEAR_COPIES) < 1e-5:
        raise Unclear
    return cosine >= NEAR_COPIES


def compare(found, wanted):
    """Of one result, without its copies: Wrong where they differ."""
    image, score = wanted[:2]
    if found["image"] != image.id or abs(found["score"] - score) > 5e-6:
        raise Wrong(f"found {found['image']} {found['score']}, expected {image.id} {score:.6f}")
    said = {name: found[name] for name in ("taken", "taken_from", "camera", "lens", "latitude", "longitude") if name in found}
    if said != image.facts or found.get("raw", []) != [text(name) for name in image.raw]:
        raise Wrong(f"{image.id}: said {said} {found.get('raw')}, expected {image.facts} {image.raw}")


def check_answer(found, vector, images, question, root):
    wanted = answer(vector, images, question, root)
    if len(found) != len(wanted):
        raise Wrong(f"found {[one['image'] for one in found]}, expected {[one[0].id for one in wanted]}")
    for one, other in zip(found, wanted):
        compare(one, other)
        copies = one.get("copies", [])
        if len(copies) != len(other[2]):
            raise Wrong(f"copies of {one['image']}: {[c['image'] for c in copies]}, "
                        f"expected {[c[0].id for c in other[2]]}")
        for copy, expected in zip(copies, other[2]):
            compare(copy, expected)


def check(question, ask, images, words, root):
    """`ask(question)` -> status as of HTTP, answer. Returns whether it was clear what to expect."""
    status, out = ask(question)
    ids = {image.id for image in images}
    unknown = [ident for ident in question.get("like", []) if ident not in ids]
    try:
        if unknown or "explain" in question or "min_fit" in question:
            if status == 200:
                raise Wrong(f"an answer, although {unknown or 'this model'} cannot say")
            return True
        vectors = [vector_of(question, sentence, images, words) for sentence in question.get("q", [None])]
        if any(vector is None for vector in vectors):
            return False
        if status != 200:
            raise Wrong(f"status {status}: {out}")
        answers = json.loads(out)
        answers = answers if isinstance(answers, list) else [answers]
        if len(answers) != len(vectors):
            raise Wrong(f"{len(answers)} answers to {len(vectors)} questions")
        for one, vector in zip(answers, vectors):
            check_answer(one["results"], vector, images, question, root)
    except Unclear:
        return False
    except Wrong as wrong:
        raise Wrong(f"asked {json.dumps(question)}: {wrong}") from None
    return True

"""Histories of the index of a dataset's pictures: indexed, added to, updated, removed from, merged from parts."""
import json
import shutil

import asking
import questions
from running import Wrong, random_fault, verify
from serving import Server
from stored import Stored, differing
from world import ROWS

IDS = [f"i{i}" for i in range(150)] + ["a b", "caf\u00e9", "x#t=1.5", "a/b.jpg", "-k"]
MOST = [3, 40, 150]  # a search looks at 66 rows and more in full
INDEX, DATA = "mine", "data"


def random_rows(rng, most):
    """-> [(id, which row of the world's features)], in any order"""
    ids = rng.sample(IDS, rng.randint(1, most))
    return [[ident, rng.randrange(ROWS) if rng.random() < 0.3 else IDS.index(ident) % ROWS] for ident in ids]


def random_question(rng):
    question = questions.random_question(rng, times=False)
    question.pop("in", None)
    if "like" in question:
        question["like"] = [rng.choice(IDS[:-1]) for _ in question["like"]]
    if rng.random() < 0.2:
        question["near_copies"] = True
    return question


def random_steps(rng, pool, count):
    steps = [["index", random_rows(rng, rng.choice(MOST)), None]]
    while len(steps) < count:
        kind = rng.choices(["index", "add", "update", "remove", "merge", "ask", "serve"], [6, 25, 15, 20, 5, 30, 2])[0]
        if kind in ("index", "add", "update"):
            steps.append([kind, random_rows(rng, 10 if kind == "add" else rng.choice(MOST)), random_fault(rng)])
        elif kind == "remove":
            steps.append([kind, rng.sample(IDS[:-1], rng.choice([1, 1, 1, 2, 5])), random_fault(rng)])
        elif kind == "merge":
            steps.append([kind, rng.randint(2, 4), random_rows(rng, rng.choice(MOST)), random_fault(rng)])
        elif kind == "ask":
            steps.append([kind, random_question(rng)])
        else:
            steps.append([kind, [random_question(rng) for _ in range(3)]])
    return steps


class DatasetHistory:
    """`state`: [(id, row)] in the index's order; None where there is no index."""

    def __init__(self, world, place):
        self.world, self.place = world, place / "here"
        self.place.mkdir()
        self.programs = world.programs(self.place)
        self.index, self.state, self.server = self.place / INDEX, None, None

    def close(self):
        if self.server:
            self.server.close()

    def step(self, step):
        getattr(self, "do_" + step[0])(*step[1:])

    def finish(self):
        """Whatever happened: what is asked for now is there as a whole, and nothing beside it."""
        self.do_index([["last", 1], ["first", 2]], None)
        self.do_update([["first", 2], ["last", 1]], None)
        verify(self.programs, INDEX)
        left = {path.name for path in self.place.iterdir()} - {INDEX, DATA}
        if left:
            raise Wrong(f"left lying: {left}")

    def is_state(self, state):
        """-> None, or in what the index is not in that state"""
        there = (self.index / "index.json").exists()
        if not there or state is None:
            return None if there == (state is not None) else "there is an index, or none"
        stored = Stored(self.index)
        if stored.ids != [ident for ident, _ in state]:
            return f"images {differing(stored.ids, [ident for ident, _ in state])}"
        for vector, (ident, row) in zip(stored.vectors, state):
            if not (vector == self.world.row_vectors[row]).all():
                return f"{ident} has not the vector of row {row}"
        return None

    def change(self, words, after, fault, counts=None):
        """Runs a command; `after`: None where it must refuse."""
        status, out = self.programs.run(words, fault)
        if after is None:
            if status == 0:
                raise Wrong(f"{words}: done, where there is nothing to do it with")
            status, after = None, self.state
        elif status == 2:
            raise Wrong(f"{words}: {self.programs.said}")
        why = self.is_state(after)
        if why is None:
            self.state = after
            if self.server:
                self.server.is_now(after)
        elif status == 0:
            raise Wrong(f"{words}: {why}")
        elif (old := self.is_state(self.state)) is not None:
            raise Wrong(f"{words}, {fault}: neither as before ({old}) nor as after ({why})")
        if fault and self.state is not None:
            verify(self.programs, INDEX)
        if status == 0 and counts is not None and (said := json.loads(out)) != {**said, **counts}:
            raise Wrong(f"{words}: said {said}, expected {counts}")

    def do_index(self, rows, fault):
        self.world.write_dataset(self.place / DATA, rows)
        self.change(["hinny-data", "index", self.world.place / "run", "--data", DATA, "--split", "all", "--out", INDEX],
                    as_state(rows), fault)

    def do_add(self, rows, fault):
        if self.state is None:
            return
        new = dict(map(tuple, rows))
        after = [(ident, new.pop(ident, row)) for ident, row in self.state] + [(i, row) for i, row in rows if i in new]
        self.with_dataset("add", rows, after, fault, removed=0)

    def do_update(self, rows, fault):
        if self.state is None:
            return
        names = {ident for ident, _ in rows}
        self.with_dataset("update", rows, as_state(rows), fault, removed=sum(i not in names for i, _ in self.state))

    def with_dataset(self, verb, rows, after, fault, removed):
        self.world.write_dataset(self.place / DATA, rows)
        before = dict(self.state)
        counts = {"added": sum(ident not in before for ident, _ in rows),
                  "changed": sum(before.get(ident, row) != row for ident, row in rows), "removed": removed}
        self.change(["hinny-data", "index", verb, INDEX, "--data", DATA, "--json"], after, fault, counts)

    def do_remove(self, ids, fault):
        if self.state is None:
            return
        there = {ident for ident, _ in self.state}
        after = [(ident, row) for ident, row in self.state if ident not in ids]
        refused = not after or not there.issuperset(ids)
        self.change(["hinny-data", "index", "remove", INDEX, "--json", "--", *ids], None if refused else after, fault,
                    {"removed": len(ids), "kept": len(after)})

    def do_merge(self, count, rows, fault):
        self.world.write_dataset(self.place / DATA, rows)
        if self.server:  # it sees none for a moment
            self.server = self.server.close()
        parts = [f"part.{i}" for i in range(1, count + 1)]
        for i, part in enumerate(parts, 1):
            self.programs.run(["hinny-data", "index", self.world.place / "run", "--data", DATA, "--split", "all", "--part",
                               f"{i}/{count}", "--out", part])
        self.change(["hinny-data", "index", "merge", *parts, "--out", INDEX], as_state(rows), fault)
        for part in parts:
            shutil.rmtree(self.place / part)

    def images(self, state):
        return [asking.Image(ident, self.world.row_vectors[row]) for ident, row in state]

    def do_ask(self, question):
        if self.state is None:
            return
        self.check(question, questions.by_program(self.programs, INDEX, self.world.pictures), self.state)

    def check(self, question, ask, state):
        clear = asking.check(question, ask, self.images(state), self.world.words, self.place)
        self.world.met["questions" if clear else "on an edge"] += 1

    def ask_server(self, question):
        return self.server.ask(questions.body(question, self.world.pictures))

    def do_serve(self, questions):
        if self.state is None:
            return
        if self.server is None:
            self.server = Server(self.programs, INDEX, self.state)
        for question in questions:
            self.server.follow(lambda state, question=question: self.check(question, self.ask_server, state))


def as_state(rows):
    return [(ident, row) for ident, row in rows]


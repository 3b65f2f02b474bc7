"""Histories of the index of a folder of pictures."""
import json
import shutil
import time

import asking
import questions
from collection import NOTHING, Collection, day
from racing import Moments, adopted
from running import PATIENCE, Wrong, verify
from serving import Server, until
from stored import Stored, difference
from tree import Tree

INDEX = "mine"


class FolderHistory:
    """A folder of pictures with its index, and what must be in it."""

    def __init__(self, world, place):
        self.world, self.place = world, place / "here"
        self.place.mkdir()
        self.tree = Tree(place, world.pool)
        self.index = self.place / INDEX
        self.programs = world.programs(self.place)
        self.state = Collection()
        self.rests = False  # whether features of an earlier run may lie beside it
        self.server, self.outputs = None, {}

    def close(self):
        if self.server:
            self.server.close()
        self.tree.clear()

    def step(self, step):
        getattr(self, "do_" + step[0])(*step[1:])

    def finish(self):
        """Whatever happened: with one picture more, all is as it should be, with nothing beside it."""
        self.tree.apply(["put", "last.png", "d1", 1_600_000_000 * 10**9])
        self.do_index(None, None, "bundle")
        verify(self.programs, INDEX)
        left = [path.name for path in self.place.iterdir() if path.name.startswith((INDEX + ".", "." + INDEX))]
        if left:
            raise Wrong(f"left lying: {left}")
        if self.server:
            self.do_serve([{"q": [questions.SENTENCES["en"][0]], "lang": "en", "k": 300}])

    def today(self):
        return day(int(time.time()) + self.programs.later)

    def words(self, exclude=None, model="bundle", out=INDEX):
        more = [word for pattern in exclude or () for word in ("--exclude", pattern)]
        return ["hinny-vision", "index", self.world.place / model, "--pictures", self.tree.root, "--out", out, "--json", *more]

    def do_tree(self, change):
        self.tree.apply(change)

    def do_later(self, days):
        self.programs.later += days * 86400

    def do_begin(self):
        """anew, without an index"""
        if self.server:
            self.server = self.server.close()
        shutil.rmtree(self.index, ignore_errors=True)
        self.state = Collection()

    def stored(self):
        return Stored(self.index) if (self.index / "index.json").exists() else None

    def is_state(self, state):
        """-> None, or in what the index is not in that state"""
        stored = self.stored()
        if stored is None or state.records is None:
            return None if (stored is None) == (state.records is None) else "there is an index, or none"
        return difference(stored, state, self.world.known)

    def settle(self, status, fault, after):
        """The index is as before the command, or as it should be after it."""
        failed = status in (None, 1)
        why = self.is_state(after)
        if why is None:
            self.move_to(after)
        elif not failed:
            raise Wrong(why)
        else:
            old = self.is_state(self.state)
            if old is not None:
                raise Wrong(f"{fault}: neither as before ({old}) nor as after ({why})")
        if fault and self.state.records is not None:
            verify(self.programs, INDEX)
        return failed

    def move_to(self, state):
        self.state = state
        if self.server:
            self.server.is_now(state)

    def do_index(self, fault, exclude, model):
        after, counts = self.state.indexed(self.tree, exclude, self.today())
        status, out = self.programs.run(self.words(exclude, model), fault)
        if after == NOTHING:
            if status == 0:
                raise Wrong("indexed, where no picture can be read")
            self.settle(None, fault, self.state)
            return
        if status == 2:
            raise Wrong(self.programs.said)
        failed = self.settle(status, fault, after)
        if not failed:
            self.check_counts(out, counts)
        self.rests = failed

    def check_counts(self, out, counts):
        said = json.loads(out)
        for name in ("images", "added", "changed", "moved", "returned", "copies", "removed", "kept", "away", "raw"):
            if said[name] != counts[name]:
                raise Wrong(f"{name}: {said[name]}, expected {counts[name]} (all: {dict(counts)})")
        if not (said["encoded"] == counts["encoded"] or (self.rests and said["encoded"] < counts["encoded"])):
            raise Wrong(f"encoded {said['encoded']}, expected {counts['encoded']}")

    def do_race(self, milliseconds, changes):
        """The folder changes while it is read: each file is as it was at some moment, and the next run has all."""
        moments = Moments(self.tree, self.state)
        process = self.programs.start(self.words())
        until(lambda: process.poll() is not None, milliseconds / 1000)
        for change in changes:
            self.tree.apply(change)
            moments.look()
        said = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
        if process.returncode not in (0, 2):
            raise Wrong(f"ended with {process.returncode}: {said}")
        if process.returncode == 0:
            self.move_to(adopted(self.stored(), self.state.exclude, self.world.known, self.world.pool, moments))
        elif (why := self.is_state(self.state)) is not None:
            raise Wrong(f"after an error: {why}")
        self.rests = self.rests or process.returncode != 0
        self.do_index(None, None, "bundle")

    def do_merge(self, count, fault):
        """The index once more, in parts: without what cannot be read now."""
        after, _ = Collection(exclude=self.state.exclude).indexed(self.tree, None, self.today())
        if after == NOTHING:
            return
        if self.server:  # it sees none for a moment
            self.server = self.server.close()
        parts = [f"part.{i}" for i in range(1, count + 1)]
        for i, part in enumerate(parts, 1):
            shutil.rmtree(self.place / part, ignore_errors=True)
            words = self.words(after.exclude, out=part) + ["--part", f"{i}/{count}"]
            if self.programs.run(words)[0] != 0:
                raise Wrong(f"{words}: {self.programs.said}")
        status, _ = self.programs.run(["hinny-data", "index", "merge", *parts, "--out", INDEX], fault)
        for part in parts:
            shutil.rmtree(self.place / part)
        self.settle(status, fault, after)

    def do_ask(self, question):
        if self.state.records is None:
            return
        self.check(question, questions.by_program(self.programs, INDEX, self.world.pictures), self.state)

    def check(self, question, ask, state):
        clear = asking.check(question, ask, asking.images_of(state, self.world.known), self.world.words, self.tree.root)
        self.world.met["questions" if clear else "on an edge"] += 1

    def ask_server(self, question):
        return self.server.ask(questions.body(question, self.world.pictures))

    def do_serve(self, questions):
        """One server through the whole history: it answers from the index as it is within seconds."""
        if self.state.records is None:
            return
        if self.server is None:
            self.server = Server(self.programs, INDEX, self.state)
        for question in questions:
            self.server.follow(lambda state, question=question: self.check(question, self.ask_server, state))

    def do_watch(self, changes):
        after, _ = self.state.indexed(self.tree, None, self.today())
        if after == NOTHING:
            return
        process = self.programs.start([*self.words(), "--watch"])
        try:
            process.stdout.readline()  # the counts of its first run
            self.wait_for(after, "--watch, as it begins", process)
            for change in changes:
                self.tree.apply(change)
                after, _ = self.state.indexed(self.tree, None, self.today())
                if after != NOTHING:
                    self.wait_for(after, f"--watch, {change}", process)
        finally:
            process.terminate()
            said = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
        if process.returncode != 0:
            raise Wrong(f"--watch ended with {process.returncode}: {said}")
        self.rests = False

    def wait_for(self, state, what, process):
        why = until(lambda: process.poll() is not None or self.is_state(state) is None, 60)
        if not why or process.poll() is not None:
            raise Wrong(f"{what}: {self.is_state(state)}")
        self.move_to(state)

    def do_export(self, weights, fault):
        self.output("small", ["hinny-data", "export", self.world.place / "run", "--out", "small", "--weights", weights], fault,
                    weights)

    def do_archive(self, fault):
        self.output("new.tar.gz", ["hinny-vision", "bundle", self.world.place / "bundle", "--out", "new.tar.gz"], fault,
                    "bundle.tar.gz")

    def output(self, name, words, fault, expected):
        """A file or folder that is whole: the earlier one, or the one that is expected now."""
        status, _ = self.programs.run(words, fault)
        found = self.world.fingerprint(self.place / name)
        if found == self.world.outputs[expected]:
            self.outputs[name] = expected
        elif status == 0 or found != self.world.outputs.get(self.outputs.get(name)):
            raise Wrong(f"{fault}: {name} is neither as before nor as after (exit code {status})")

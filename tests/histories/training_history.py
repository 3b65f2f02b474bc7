"""Histories of a training that is ended again and again and goes on (--resume): it must end as an unbroken one, to the bit."""
import os
import re
import shutil

from running import Wrong, random_fault
from scenarios import MODELS, TRAIN, tree, untimed

SYSTEMS = ["bag", "bag", "mule"]
RUN = "run"


def words(system, epochs, processes):
    return ["hinny-learn", "train", system, *TRAIN[3:], "--set", f"train.epochs={epochs}",
            *(["--processes", str(processes)] if processes > 1 else [])]


def random_steps(rng, pool, count):
    """A tenth as many as of other histories, as each takes longer."""
    steps = [["training", rng.choice(SYSTEMS), rng.choice([1, 1, 2]), rng.choice([1, 1, 1, 2])]]
    for _ in range(count // 10):
        fault = None
        while fault is None:
            fault = random_fault(rng)
        if fault[0] == "signal":
            fault[1] = rng.randrange(300, 2500)
        elif fault[1] != "end":
            fault[2] = rng.randint(1, {"write": 120, "sync": 70, "rename": 25, "open": 150}.get(fault[1], 30))
        steps.append(["resume", fault])
    return steps


class TrainingHistory:
    def __init__(self, world, place):
        self.world, self.place = world, place / "here"
        self.place.mkdir()
        shutil.copytree(MODELS / "data", self.place / "data")
        self.programs = world.programs(self.place)
        self.training = ["bag", 1, 1]

    def close(self):
        pass

    def step(self, step):
        getattr(self, "do_" + step[0])(*step[1:])

    def do_training(self, *training):
        if not (self.place / RUN).exists():
            self.training = training

    def do_resume(self, fault):
        self.programs.run(words(*self.training), fault, processes=self.training[2])

    def finish(self):
        if self.programs.run(words(*self.training))[0] != 0:
            raise Wrong(self.programs.said)
        found, wanted = untimed(tree(self.place / RUN)), self.unbroken()
        different = [name for name in {*found, *wanted} if found.get(name) != wanted.get(name)]
        if different:
            raise Wrong(f"{words(*self.training)}: {different} are not as of an unbroken training")
        left = [name for name in os.listdir(self.place) if name not in (RUN, "data")]
        left += [name for name in os.listdir(self.place / RUN) if re.search(r"\.\d+\.tmp", name)]
        if left:
            raise Wrong(f"left lying: {left}")

    def unbroken(self):
        """What the same training makes in one go, known from then on."""
        key = repr(self.training)
        if key not in self.world.trained:
            shutil.move(self.place / RUN, self.place / "broken")
            if self.programs.run(words(*self.training))[0] != 0:
                raise Wrong(self.programs.said)
            self.world.trained[key] = untimed(tree(self.place / RUN))
            shutil.rmtree(self.place / RUN)
            shutil.move(self.place / "broken", self.place / RUN)
        return self.world.trained[key]

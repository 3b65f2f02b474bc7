"""What happens in a history of a folder of pictures."""
from questions import random_question
from running import random_fault
from tree import random_path, random_step

WATCHED = ("put", "delete", "move", "touch", "letters", "unplug", "plug", "move folder", "mode", "nomedia")


def random_steps(rng, pool, count):
    names, steps = list(pool), []
    for _ in range(rng.choice([2, 15, 40])):
        steps.append(["tree", ["put", random_path(rng), rng.choice(names), rng.randrange(2 * 10**18)]])
    while len(steps) < count:
        kind = rng.choices(["tree", "index", "ask", "serve", "race", "merge", "watch", "later", "export", "archive", "begin"],
                           [50, 20, 18, 3, 3, 1.5, 0.7, 1, 0.5, 0.5, 0.7])[0]
        changes = [random_step(rng, names) for _ in range(rng.randint(1, 4))]
        if kind == "tree":
            steps.append([kind, changes[0]])
        elif kind == "index":
            exclude = rng.choice([None] * 8 + [[""], ["*.jpg"], ["b/", "!1.png"]])
            steps.append([kind, random_fault(rng), exclude, rng.choice(["bundle", "bundle", "bundle.tar.gz"])])
        elif kind == "race":
            steps.append([kind, rng.randrange(10, 90), changes])
        elif kind == "ask":
            steps.append([kind, random_question(rng)])
        elif kind == "serve":
            steps.append([kind, [random_question(rng) for _ in range(3)]])
        elif kind == "watch":
            steps.append([kind, [change for change in changes if change[0] in WATCHED][:2]])
        elif kind == "merge":
            steps.append([kind, rng.randint(2, 3), random_fault(rng)])
        elif kind == "later":
            steps.append([kind, rng.choice([1, 29, 31])])
        elif kind == "export":
            steps.append([kind, rng.choice(["fp32", "int8", "bf16"]), random_fault(rng)])
        else:
            steps.append([kind, random_fault(rng)] if kind == "archive" else [kind])
    return steps

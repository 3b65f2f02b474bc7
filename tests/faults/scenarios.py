"""Commands that write, each in a folder of its own in which it can run again and again."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parent.parent / "old_models"

TRAIN = ["hinny-learn", "train", "bag", "--data", "data", "--features", "toy", "--out", "run",
         "--set", "text.dim=8", "--set", "text.min_count=1", "--set", "dim=8",
         "--set", "image.hidden=8", "--set", "sample.images_per_batch=8", "--resume",
         "--checkpoint-seconds", "0"]
SHORT = ["--set", "train.epochs=3"]
LINES = "".join(f'{{"image": "{i}", "lang": "en", "split": "train", "text": "thing {i}"}}\n'
                for i in range(5))
PLAIN_INDEX = ["hinny-data", "index", "bag", "--data", "data", "--split", "test"]
INDEX = [*PLAIN_INDEX, "--out", "mine"]

# name -> what the folder begins with (of MODELS, or drawn), commands before, the command, and its
# output
SCENARIOS = {
    "train": (["data"], [], [*TRAIN, *SHORT], "run"),
    "train-resume": (["data"], [[*TRAIN, *SHORT], ["unfinish", "run"]], [*TRAIN, *SHORT], "run"),
    "index": (["data", "bag"], [INDEX, ["hinny-data", "index", "remove", "mine", "i39"]], INDEX, "mine"),
    "index-remove": (["data", "bag"], [INDEX], ["hinny-data", "index", "remove", "mine", "i39"], "mine"),
    "index-add": (["data", "bag"], [INDEX],
                  ["hinny-data", "index", "add", "mine", "--data", "data", "--split", "val"], "mine"),
    "index-merge": (["data", "bag"],
                    [[*PLAIN_INDEX, "--part", f"{i}/2", "--out", f"part.{i}"] for i in (1, 2)],
                    ["hinny-data", "index", "merge", "part.1", "part.2", "--out", "mine"], "mine"),
    "index-pictures": (["photos"], [["hinny-vision", "bundle", "photos/run", "--out", "bundle"]],
                       ["hinny-vision", "index", "bundle", "--pictures", "photos/images", "--out",
                        "mine"], "mine"),
    "export": (["bag", "mule"], [["hinny-data", "export", "mule", "--out", "small"]],
               ["hinny-data", "export", "bag", "--out", "small"], "small"),
    "bundle": (["photos"], [], ["hinny-vision", "bundle", "photos/run", "--out", "bundle"],
               "bundle"),
    "features": (["photos"], [], ["hinny-vision", "features", "photos", "--encoder", "builtin"],
                 "photos/features"),
    "encode": (["bag"], [["text", "lines.txt", "red ball\ngreen house\n"]],
               ["hinny-data", "encode", "bag", "--lang", "en", "--out", "lines.npy", "<", "lines.txt"],
               "lines.npy"),
    "import": ([], [["text", "lines.jsonl", LINES],
                    ["hinny-data", "import", "jsonl", "lines.jsonl", "--out", "new"]],
               ["hinny-data", "import", "jsonl", "lines.jsonl", "--force", "--lang", "de", "--out",
                "new"], "new"),
    "augment": (["data-pairs", "nmt"], [],
                ["hinny-learn", "augment", "nmt", "--data", "data-pairs", "--from", "en", "--to",
                 "de", "--splits", "test", "--out", "more", "--resume"], "more"),
}
KEPT = {"augment": "more.partial", "index-pictures": "mine.part"}  # the next run goes on from it
LONG = {"train-long": (["data"], [], [*TRAIN, "--set", "train.epochs=60"], "run")}


class Work:
    """A folder in which one scenario runs, again and again."""

    def __init__(self, name, programs, drawn, scenario=None):
        self.name, self.programs = name, programs
        begin, before, self.command, self.output = scenario or {**SCENARIOS, **LONG}[name]
        self.root = pathlib.Path(tempfile.mkdtemp(prefix=f"faults-{name}-")).resolve()
        self.start, self.place = self.root / "start", self.root / "here"
        self.place.mkdir()
        for item in begin:
            source = drawn if item == "photos" else MODELS / item
            shutil.copytree(source, self.place / item)
        for command in before:
            self.prepare(command)
        self.place.rename(self.start)
        self.old = tree(self.start)
        self.new = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)

    def prepare(self, command):
        if command[0] == "text":
            (self.place / command[1]).write_text(command[2])
        elif command[0] == "unfinish":  # as if it had been stopped after its last checkpoint
            path = self.place / command[1] / "checkpoint" / "last.safetensors"
            whole = path.read_bytes()
            size = 8 + int.from_bytes(whole[:8], "little")
            header = whole[8:size].replace(b'\\"finished\\":true', b'\\"finished\\":false')
            header += b" " * (-len(header) % 8)
            path.write_bytes(len(header).to_bytes(8, "little") + header + whole[size:])
        else:
            status, said = self.run(command)
            if status != 0:
                sys.exit(f"faults: {self.name}: {' '.join(command)}: {said}")

    def reset(self):
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.start, self.place, symlinks=True)

    def start_command(self, command, environment, printed=subprocess.DEVNULL, under=()):
        """`command` "< FILE" at its end: FILE on the standard input. `under`: a program that starts it."""
        given = subprocess.DEVNULL
        if "<" in command:
            at = command.index("<")
            command, given = command[:at], open(self.place / command[at + 1])
        words = [*under, str(self.programs / command[0]), *command[1:], "--threads", "1"]
        alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        return subprocess.Popen(words, cwd=self.place, env={**os.environ, **alone, **environment},
                                stdin=given, stdout=printed, stderr=subprocess.PIPE,
                                text=True)

    def run(self, command=None, **environment):
        """-> exit code, what it said"""
        process = self.start_command(command or self.command, environment)
        said = process.communicate(timeout=120)[1]
        return process.returncode, said.strip()

    def good_run(self, **environment):
        self.reset()
        status, said = self.run(**environment)
        if status != 0:
            sys.exit(f"faults: {self.name}: {said}")
        self.new = tree(self.place)

    def output_of(self, files):
        if self.output is None:  # it only reads
            return files
        below = self.output + "/"
        return {k: v for k, v in files.items() if k == self.output or k.startswith(below)}

    def is_whole(self, files):
        """The output is the earlier one or the new one. Of a training each file is: it goes on."""
        found, old, new = map(self.output_of, (files, self.old, self.new))
        if self.output == "run":
            return all(name in new for name in found if not unfinished(name))
        return found in (old, new)

    def is_new(self, files):
        return untimed(self.output_of(files)) == untimed(self.output_of(self.new))

    def problem_when_run_again(self):
        """-> what is wrong after a sudden end, and after the same command once more; or None"""
        files = tree(self.place)
        if not self.is_whole(files):
            return "what was there before is neither as it was nor as it should be"
        if self.is_new(files) and self.output != "run":
            return None
        status, said = self.run()
        if status != 0:
            return f"run again it ended with {status}: {said}"
        files = tree(self.place)
        left = [name for name in files if unfinished(name)]
        if left:
            return f"run again it left {left}"
        return None if self.is_new(files) else "run again it made something else"


def timed(name):
    """Files that hold times."""
    return name.endswith(("README.md", "last.safetensors"))


def unfinished(name):
    """What a process that was killed was about to write, and the lock of its run folder."""
    return re.search(r"\.\d+\.tmp", name) is not None or name.endswith("/.lock")


def untimed(files):
    return {k: v for k, v in files.items() if not timed(k) and not unfinished(k)}


def tree(folder):
    """Every file below and what is in it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            if path.name == "metrics.jsonl":
                content = re.sub(rb'"[a-z]+_per_second":[0-9.]+', b"", content)
            if path.name == "pictures.jsonl":  # which libraries are loaded: the one of faults, too
                content = re.sub(rb"build [0-9a-f]+", b"", content)
            if path.name == "checksums.safetensors" and (path.parent / "pictures.jsonl").exists():
                content = b""  # of that, too
            found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def draw(programs, folder):
    """A few pictures and a model of them that sees by the built-in descriptor."""
    for words in (["draw", "--out", folder, "--images", "20"],
                  ["features", folder, "--encoder", "builtin"],
                  ["train", "bag", "--data", folder, "--features", "builtin", "--languages", "en",
                   "--out", folder / "run", "--threads", "1", "--set", "train.epochs=1"]):
        subprocess.run([programs / "hinny", *words], check=True, capture_output=True)
    return folder


def say(line, problems):
    """Of one scenario -> how many problems it has"""
    print(f"{line}, {len(problems)} wrong", *(f"  {problem}" for problem in problems), sep="\n",
          flush=True)
    return len(problems)


def end(what, wrong):
    print(f"{what}: all as it should be" if wrong == 0 else f"{what}: {wrong} wrong")
    sys.exit(1 if wrong else 0)

"""Hinny's programs in a folder of their own, in which an operation fails or the machine loses power."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
from faulty import lose, preload  # noqa: E402

MOST = {"open": 120, "read": 90, "write": 40, "sync": 16, "rename": 8, "exchange": 1, "map": 6}
HOW = {"open": ["EIO", "EMFILE", "EINTR"], "read": ["EIO", "EINTR", "short"], "write": ["ENOSPC", "EIO", "EINTR", "short"],
       "sync": ["EIO"], "rename": ["EIO"], "exchange": ["EINVAL"], "map": ["EIO"]}
HARMLESS = ("EINTR", "short", "EINVAL")
PATIENCE = 300  # seconds, of a machine that has much else to do


def random_fault(rng):
    """-> None, or what goes wrong in a command"""
    kind = rng.choices([None, "fails", "killed", "power", "signal"], [60, 14, 12, 12, 2])[0]
    if kind is None:
        return None
    if kind == "signal":
        return [kind, rng.randrange(5, 120)]
    operation = rng.choice(list(MOST) if kind == "fails" else ["write", "sync", "rename"])
    if kind == "power" and rng.random() < 0.2:
        operation = "end"  # after the command has ended
    number = rng.randint(1, MOST.get(operation, 1))
    if kind == "fails":
        return [kind, operation, number, rng.choice(HOW[operation])]
    return [kind, operation, number] + ([rng.choice(["bytes", "names"])] if kind == "power" else [])


class Wrong(Exception):
    """A difference between Hinny and the model."""


class Programs:
    def __init__(self, folder, library, place, met):
        """`place`: the folder whose file operations may fail; `met`: counts what went wrong as it should"""
        self.folder, self.library, self.place, self.met = folder, library, place, met
        self.later = 0  # seconds that the clock goes before this machine's

    def environment(self, **more):
        alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TZ": "UTC", "HINNY_THREADS": "1"}
        return {**os.environ, **alone, **preload(self.place, self.library, HINNY_FAULT_CLOCK=str(self.later)), **more}

    def start(self, words, stderr=subprocess.PIPE, **more):
        return subprocess.Popen([self.folder / words[0], *words[1:]], cwd=self.place, env=self.environment(**more),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)

    def run(self, words, fault=None, processes=1):
        """-> exit status (of what was killed, None), stdout; Wrong where it says what it should not. Of several `processes`
        one that is killed ends the others, with an error."""
        log, more = self.place.parent / "log", {}
        if fault and fault[0] != "signal":
            more["HINNY_FAULT"] = ":".join(map(str, fault[1:3])) + ":" + (fault[3] if fault[0] == "fails" else "power")
            shutil.rmtree(log, ignore_errors=True)
            log.mkdir()
            more["HINNY_FAULT_LOG"] = str(log)
        process = self.start(words, **more)
        try:
            if fault and fault[0] == "signal":
                try:
                    out, said = process.communicate(timeout=fault[1] / 1000)
                except subprocess.TimeoutExpired:
                    process.kill()
            out, said = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"{words}: did not end in {PATIENCE} s") from None
        status, said = process.returncode, said.decode(errors="replace")
        if fault and fault[0] == "power" and (status == 86 or fault[1] == "end"):
            lose(self.place / "spare", log / "undone", fault[3] == "names")
        if fault and (status == 86 or (fault[0] == "signal" and status == -9)):
            self.met["power lost" if fault[0] == "power" else "killed"] += 1
            return None, out
        if status not in (0, 1, 2):
            raise Wrong(f"{words}: ended with {status}: {said}")
        errors = [line for line in said.splitlines() if line.startswith("error:")]
        if not ((status == 0) == (not errors) and len(errors) <= processes):
            raise Wrong(f"{words}: ended with {status} and {len(errors)} lines of error: {said}")
        if status == 1 and fault and processes > 1:
            return None, out
        if status == 1 and not (fault and fault[0] == "fails" and fault[3] not in HARMLESS):
            raise Wrong(f"{words}: {errors[0]}")
        self.met["refused" if status == 2 else "failed" if status else "done"] += 1
        self.said = said
        return status, out


def verify(programs, index):
    status, _ = programs.run(["hinny-data", "inspect", index, "--verify"])
    if status != 0:
        raise Wrong(f"inspect --verify: {programs.said}")

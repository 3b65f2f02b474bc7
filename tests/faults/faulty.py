"""Runs a program with a file operation that fails, or on a machine that loses power (faults.cc)."""
import os
import pathlib
import re
import shutil
import subprocess


def preload(under, library, **faults):
    """Environment of a program of which the files below `under` count."""
    return {**faults, "LD_PRELOAD": str(library), "HINNY_FAULT_UNDER": str(under)}


def lose(spare, undone, names):
    """Takes back what was not synced: bytes, and if `names` what the folders say too. `spare`: a free name."""
    lines = [line.split("\t") for line in undone.read_text().splitlines()]
    of = lambda kind: [pathlib.Path(line[1]) for line in lines if line[0] == kind]
    for kind, path, *size in lines:
        if kind == "dirty" and os.path.isfile(path):
            os.truncate(path, min(int(size[0]), os.path.getsize(path)))
    if not names:
        return
    for path in of("made"):
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    for kind, *rest in lines:
        if kind == "exchange":
            one, other = pathlib.Path(rest[0]), pathlib.Path(rest[1])
            for before, after in (other, spare), (one, other), (spare, one):
                if before.exists():
                    before.rename(after)
        elif kind == "rename" and pathlib.Path(rest[1]).exists():
            os.rename(rest[1], rest[0])
            if rest[2]:
                shutil.copy(rest[2], rest[1])


def port_in(said):
    """-> the port of this machine on which `hinny serve` says that it listens, or None"""
    found = re.search(r" on http://127\.0\.0\.1:(\d+)", said)
    return found and int(found[1])


def build(folder, name="faults"):
    """-> the library that stands between"""
    library = folder / f"lib{name}.so"
    source = pathlib.Path(__file__).resolve().parent / f"{name}.cc"
    subprocess.run(["c++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-shared", "-fPIC", source,
                    "-o", library, "-ldl"], check=True)
    return library

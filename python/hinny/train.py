"""Training, by the program: `hinny train` runs beside Python, which so needs no libtorch."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from .dataset import Run


class TrainingFailed(RuntimeError):
    """The machine failed, or the training was stopped."""


def _program():
    import shutil  # here and below: `import hinny` stays quick

    program = os.environ.get("HINNY") or shutil.which("hinny")
    if not program:
        raise FileNotFoundError("hinny is not on the PATH (expected the program, or HINNY=/path/to/hinny)")
    return program


def _value(value):
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}={json.dumps(v, ensure_ascii=False)}"
                              for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def _arguments(recipe, data, features, languages, out, seed, threads, parallel, resume, settings):
    arguments = [_program(), "train", recipe, "--data", os.fspath(data), "--out", os.fspath(out)]
    if features:
        arguments += ["--features", features if isinstance(features, str) else "+".join(features)]
    if languages:
        arguments += ["--languages", languages if isinstance(languages, str) else ",".join(languages)]
    for option, value in (("--seed", seed), ("--threads", threads), ("--parallel", parallel)):
        if value is not None:
            arguments += [option, os.fspath(value) if option == "--parallel" else str(value)]
    for key, value in (settings or {}).items():
        arguments += ["--set", f"{key}={_value(value)}"]
    return arguments + (["--resume"] if resume else [])


def _news(path, place, on_progress):
    """Hands new whole lines of metrics.jsonl to on_progress; returns where it stopped reading."""
    try:
        with open(path, "rb") as file:
            file.seek(place)
            lines = file.read()
    except FileNotFoundError:
        return place
    whole = lines.rfind(b"\n") + 1
    for line in lines[:whole].splitlines():
        on_progress(json.loads(line))
    return place + whole


def train(recipe: str, *, data: str | os.PathLike, out: str | os.PathLike,
          features: str | Sequence[str] | None = None, languages: str | Sequence[str] | None = None,
          seed: int | None = None, threads: int | None = None, parallel: str | os.PathLike | None = None,
          resume: bool = False, set: dict[str, Any] | None = None,
          on_progress: Callable[[dict[str, Any]], Any] | None = None) -> Run:
    """Trains as `hinny train` does and returns the Run, whose folder hinny.Model opens.

    recipe: a built-in recipe's name or a file. features, languages: a list, or as on the command line.
    set: {"train.epochs": 5, ...}. on_progress: called with each line that metrics.jsonl gets, a dict.
    Raises ValueError with the sentence that the program prints when something is given wrongly. Ctrl-C stops
    the training where it can go on with resume=True, and raises KeyboardInterrupt.
    """
    import signal
    import subprocess
    import tempfile

    arguments = _arguments(recipe, data, features, languages, out, seed, threads, parallel, resume, set)
    metrics = os.path.join(os.fspath(out), "metrics.jsonl")
    place = os.path.getsize(metrics) if resume and os.path.exists(metrics) else 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                   start_new_session=True)
        try:
            while process.poll() is None:
                if on_progress:
                    place = _news(metrics, place, on_progress)
                time.sleep(0.1)
        except BaseException:  # Ctrl-C, or on_progress raised: the program saves and stops
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        if on_progress:
            _news(metrics, place, on_progress)
        if process.returncode != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            sentence = next((line[7:] for line in reversed(lines) if line.startswith("error: ")),
                            lines[-1] if lines else f"exit code {process.returncode}")
            raise (ValueError if process.returncode == 2 else TrainingFailed)(sentence)
    return Run(out)

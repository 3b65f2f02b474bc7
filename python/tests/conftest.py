"""A small picture set, a model and an index of it, made once by the built program."""

import os
import subprocess

import pytest

HINNY = os.environ.get("HINNY", "hinny")


def hinny(*arguments, stdin=None):
    return subprocess.run([HINNY, *map(str, arguments)], input=stdin, capture_output=True, check=True).stdout


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    data = folder / "pictures"
    hinny("draw", "--out", data, "--images", 120, "--seed", 3)
    hinny("features", data, "--encoder", "builtin")
    hinny("train", "bag", "--data", data, "--features", "builtin-1", "--languages", "en,de", "--out",
          folder / "run", "--threads", 2, "--set", "train.epochs=3")
    hinny("index", folder / "run", "--data", data, "--split", "all", "--out", folder / "index")
    return folder

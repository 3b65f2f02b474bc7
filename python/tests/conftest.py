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


@pytest.fixture(scope="session")
def spaces(made):
    """A run with an image space for each language, and an index of it."""
    data, run, index = made / "pictures", made / "spaces", made / "spaces-index"
    settings = ["train.epochs=15", "sample.images_per_batch=16", "text.min_count=1", "text.vectors=random",
                "text.hidden=32", "dim=32", "text.dim=32", "train.weight_decay=0", "train.learning_rate=0.003"]
    hinny("train", "embn", "--data", data, "--features", "builtin-1", "--languages", "en,de", "--out", run,
          "--threads", 2, *[word for setting in settings for word in ("--set", setting)])
    hinny("index", run, "--data", data, "--split", "test", "--out", index)
    return made

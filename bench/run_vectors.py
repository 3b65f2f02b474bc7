"""Vectors of a run on a dataset's test split, by the program: for bench/foils, bench/rerank_bound and bench/questions."""
import io
import json
import os
import pathlib
import subprocess
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "reference"))
from index_names import ids_of  # noqa: E402


def dataset_folder(name):
    """A folder, or its name inside $HINNY_DATA."""
    data = pathlib.Path(name)
    return data if data.is_dir() else pathlib.Path(os.environ.get("HINNY_DATA", ".")) / name


def encoded(hinny, run, language, sentences):
    """[sentences, dim]"""
    done = subprocess.run([hinny, "encode", run, "--lang", language],
                          input=("\n".join(sentences) + "\n").encode(), capture_output=True)
    if done.returncode:
        raise SystemExit(done.stderr.decode().strip())
    return numpy.load(io.BytesIO(done.stdout))


def pictures_of(hinny, run, data, features, folder):
    """Ids, their vectors [images, dim], and what is added to each one's scores [images]."""
    command = [hinny, "index", run, "--data", data, "--out", folder / "index", "--weights", "fp32",
               "--sentences", "0"]
    if features:
        command += ["--features", features]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    contents = json.loads((folder / "index/index.json").read_text())
    rows, dim = numpy.load(folder / "index/vectors.npy"), contents["dim"]
    return ids_of(folder / "index"), rows[:, :dim], rows[:, dim:].sum(1)


def test_captions(data, images):
    """language -> [(image, text)] of these images."""
    captions = {}
    wanted = set(images)
    for line in map(json.loads, open(data / "captions.jsonl", encoding="utf-8")):
        if line["image"] in wanted:
            captions.setdefault(line["lang"], []).append((line["image"], line["text"]))
    return captions

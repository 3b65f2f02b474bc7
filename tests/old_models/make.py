#!/usr/bin/env python3
"""Makes the folders beside this file once more (README.md): ./make.py HINNY OUT [NAME...]"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA, PAIRS = "data", "data-pairs"
SMALL = ["text.dim=8", "text.min_count=1", "text.vectors=random", "text.hidden=8", "dim=8",
         "train.epochs=8", "sample.images_per_batch=8", "train.learning_rate=1e-2"]
DEEP = SMALL + ["image.hidden=8"]
MULE = DEEP + ["text.mule_dim=6"]

# name: recipe, features, settings
RETRIEVE = {
    "bag": ("bag", "toy", DEEP + ["text.unknown=token", "text.min_count=6", "text.markers=true"]),
    "vse": ("vse", "toy", SMALL),
    "gru": ("vse", "toy", SMALL + ["text.reset=before", "text.bidirectional=true", "dim=16"]),
    "embn": ("embn", "toy", DEEP),
    "order": ("order", "toy", SMALL),
    "mule": ("mule", "toy", MULE),
    "frozen": ("frozen", "toy", MULE),
    "smalr": ("smalr", "toy", MULE + ["text.latents=20", "text.own_words=5", "text.own_dim=4",
                                      "pretrain.epochs=0", "loss.adversary=1e-3",
                                      "loss.warmup_epochs=1", "loss.word_drift=0",
                                      "train.average=0.9"]),
    "dictionary": ("dictionary", "toy", MULE + ["text.rare=1000",
                                                "text.dictionary=data/dictionaries"]),
    "liwe": ("liwe", "toy", DEEP + ["text.characters=4", "text.most_characters=6",
                                    "text.min_count=20"]),
    "given": ("bag", "toy", DEEP + ["text.encoder=given", "text.sentences=bert", "text.dim=9"]),
    "san": ("san", "grid", SMALL),
    "dan": ("dan", "grid", SMALL),
    "scan": ("scan", "grid", SMALL),
}
TRANSLATE = ["translation.directions=[\"en-de\"]", "translation.embedding=8",
             "translation.hidden=16", "translation.merges=30", "translation.batch_words=60",
             "translation.dropout=0.0", "train.epochs=60", "train.warmup_steps=0",
             "train.learning_rate=2e-2"]
ASKED = {"en": "green car there", "de": "blau Haus"}


def hinny(*words, text=None):
    done = subprocess.run([HINNY, *words], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"hinny {' '.join(words)}\n{done.stderr}")
    return done.stdout


def sets(keys):
    return [word for key in keys for word in ("--set", key)]


def train(name, recipe, keys, *more, data=DATA):
    run = os.path.join(OUT, name)
    shutil.rmtree(run, ignore_errors=True)
    hinny("train", recipe, "--data", data, "--out", run, "--threads", "1", *more, *sets(keys))
    for left_over in ("metrics.jsonl", "README.md", ".lock"):
        if os.path.exists(os.path.join(run, left_over)):
            os.remove(os.path.join(run, left_over))
    if name != "smalr":  # of one model all that resuming it needs
        shutil.rmtree(os.path.join(run, "checkpoint"), ignore_errors=True)
    return run


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def vector(folder, language):
    file = os.path.join(folder, "vector.npy")
    hinny("encode", folder, "--lang", language, "--out", file, text=ASKED[language] + "\n")
    with open(file, "rb") as stream:
        npy = stream.read()
    os.remove(file)
    numbers = npy[10 + struct.unpack("<H", npy[8:10])[0]:]
    return list(struct.unpack(f"<{len(numbers) // 4}f", numbers))


def expect(folder, **expected):
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(rounded(expected), file, indent=1, sort_keys=True)
        file.write("\n")


def retrieve(name):
    recipe, features, keys = RETRIEVE[name]
    run = train(name, recipe, keys, "--features", features)
    if name == "mule":
        hinny("eval", run, "--data", DATA, "--translations", os.path.join(DATA, "translations"),
              "--clc", "learned", "--clc-split", "train", "--keep")
    expected = {"eval": json.loads(hinny("eval", run, "--data", DATA, "--json")),
                "inspect": json.loads(hinny("inspect", run, "--json"))}
    if name != "given":
        expected["encode"] = {language: vector(run, language) for language in ASKED}
    expect(run, **expected)


def translate(name, *more):
    run = train(name, name, TRANSLATE, *more, data=PAIRS)
    expect(run, eval=json.loads(hinny("eval", run, "--data", PAIRS, "--json")),
           inspect=json.loads(hinny("inspect", run, "--json")),
           translate=hinny("translate", run, "--from", "en", "--to", "de",
                           text="green car\n"))


def export(name, run, weights):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    hinny("export", os.path.join(OUT, run), "--weights", weights, "--out", folder)
    expected = {"inspect": json.loads(hinny("inspect", folder, "--json"))}
    if run != "nmt":
        expected["encode"] = {language: vector(folder, language) for language in ASKED}
    expect(folder, **expected)


def index(name, run, *more, ask=(), data=DATA):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    hinny("index", os.path.join(OUT, run), "--data", data, "--out", folder, *more)
    expect(folder, inspect=json.loads(hinny("inspect", folder, "--json")),
           search={language: json.loads(hinny("search", folder, text, "--lang", language, "-k", "3",
                                              "--json", *ask))
                   for language, text in ASKED.items()})


def bundle(name, source):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    hinny("bundle", os.path.join("../pretrained/folders", source), "--out", folder)
    expect(folder, inspect=json.loads(hinny("inspect", folder, "--json")),
           encode={language: vector(folder, language) for language in ASKED})


def pictures_index(name, model):
    """Of ten drawn pictures, by a bundle's own networks."""
    with tempfile.TemporaryDirectory() as scratch:
        drawn = os.path.join(scratch, "drawn")
        hinny("draw", "--out", drawn, "--images", "10", "--seed", "3")
        hinny("features", drawn, "--encoder", os.path.join(OUT, model))
        index(name, model, "--split", "all", data=drawn)
        for file in ("index.json", "expected.json"):
            path = os.path.join(OUT, name, file)
            with open(path, encoding="utf-8") as text:
                said = text.read().replace(scratch, "")
            with open(path, "w", encoding="utf-8") as text:
                text.write(said)


HINNY, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
os.chdir(HERE)
MAKERS = {name: (lambda name=name: retrieve(name)) for name in RETRIEVE}
MAKERS |= {
    "nmt": lambda: translate("nmt"),
    "mmt": lambda: translate("mmt", "--from", os.path.join(OUT, "nmt"), "--features", "grid"),
    "mule-int8": lambda: export("mule-int8", "mule", "int8"),
    "san-bf16": lambda: export("san-bf16", "san", "bf16"),
    "nmt-int8": lambda: export("nmt-int8", "nmt", "int8"),
    "index": lambda: index("index", "mule", "--split", "test", "--translator", os.path.join(OUT, "nmt")),
    "index-spaces": lambda: index("index-spaces", "embn", "--split", "test", "--weights", "fp32"),
    "index-graphs": lambda: index("index-graphs", "bag", "--split", "test"),
    "index-codes": lambda: index("index-codes", "bag", "--split", "test", "--codes", "2"),
    "index-regions": lambda: index("index-regions", "scan", "--split", "test", ask=("--explain",)),
    "index-attention": lambda: index("index-attention", "san", "--split", "test", ask=("--explain",)),
    "siglip2": lambda: bundle("siglip2", "siglip2"),
    "index-siglip2": lambda: pictures_index("index-siglip2", "siglip2"),
}
for chosen in sys.argv[3:] or MAKERS:
    MAKERS[chosen]()
    print(chosen)

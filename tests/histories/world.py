"""What all histories share: a small model, the pictures of which folders are made, and what is known of them."""
import collections
import hashlib
import json
import pathlib
import shutil
import subprocess

import numpy

from asking import NEAR_COPIES
from faulty import build
from pictures import pool
from questions import SENTENCES
from running import Programs
from stored import Known, Stored

ROWS = 90  # features of pictures of datasets
TRAIN = ["--languages", "en,de", "--set", "train.epochs=1", "--set", "text.dim=16", "--set", "dim=24"]


class World:
    def __init__(self, programs, place):
        self.folder, self.place = programs, place
        self.met = collections.Counter()  # commands by how they ended; questions by whether rounding decided
        self.trained = {}  # what unbroken trainings make
        self.library = build(place)
        self.say("hinny", "draw", "--out", "drawn", "--images", "20")
        self.say("hinny", "features", "drawn", "--encoder", "builtin")
        self.say("hinny", "train", "bag", "--data", "drawn", "--features", "builtin-1", "--out", "run", *TRAIN)
        self.say("hinny", "bundle", "run", "--out", "bundle")
        self.say("hinny", "bundle", "bundle", "--out", "bundle.tar.gz")
        self.outputs = {"bundle.tar.gz": self.fingerprint(place / "bundle.tar.gz")}
        for weights in ("fp32", "int8", "bf16"):
            self.say("hinny", "export", "run", "--out", weights, "--weights", weights)
            self.outputs[weights] = self.fingerprint(place / weights)
        self.pool = pool()
        self.known = self.learn()
        self.words = {(lang, text): vector for lang in SENTENCES for text, vector in zip(SENTENCES[lang], self.encode(lang))}
        self.words.update({("image", name): vector for name, vector in self.known.vector.items()})
        self.rows = numpy.random.default_rng(3).random((ROWS, self.features_dim()), dtype="f4")
        self.rows[-20:] = self.rows[:20] + 0.05 * self.rows[-20:]  # which are like the first
        self.row_vectors = self.learn_rows()

    def say(self, program, *words, given=None):
        subprocess.run([self.folder / program, *words, *(["--threads", "1"])], cwd=self.place, input=given,
                       check=True, capture_output=True)

    def programs(self, place):
        return Programs(self.folder, self.library, place, self.met)

    def learn(self):
        """Each picture's vector, as an index of it alone has it; of the pool only what is clearly a near copy or none."""
        self.pictures = self.place / "pool"
        self.pictures.mkdir()
        for name, content in self.pool.items():
            (self.pictures / f"{name}.png").write_bytes(content.data)
        self.say("hinny", "index", "bundle", "--pictures", "pool", "--out", "known")
        known = Known(self.place / "known")
        for name, vector in known.vector.items():
            near = [float(numpy.dot(vector, other)) for other in known.vector.values()]
            if any(abs(cosine - NEAR_COPIES) < 1e-4 for cosine in near):
                del self.pool[name]
        for name in [name for name in self.pool if name in known.vector][::8]:
            alone = self.place / "alone"
            alone.mkdir(exist_ok=True)
            (alone / "one.png").write_bytes(self.pool[name].data)
            shutil.rmtree(self.place / "one", ignore_errors=True)
            self.say("hinny", "index", "bundle", "--pictures", "alone", "--out", "one")
            if not numpy.array_equal(Known(self.place / "one").vector["one"], known.vector[name]):
                raise SystemExit(f"histories: {name} has another vector alone than among others")
        return known

    def features_dim(self):
        return numpy.load(self.place / "drawn" / "features" / "builtin-1.npy").shape[1]

    def learn_rows(self):
        self.write_dataset(self.place / "rows", [(str(i), i) for i in range(len(self.rows))])
        self.say("hinny", "index", "run", "--data", "rows", "--split", "all", "--out", "of-rows")
        return Stored(self.place / "of-rows").vectors

    def write_dataset(self, folder, rows):
        """of [(id, row)]"""
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "features").mkdir(parents=True)
        (folder / "images.jsonl").write_text("".join(json.dumps({"image": i, "split": "test"}) + "\n" for i, _ in rows))
        (folder / "captions.jsonl").write_text("")
        (folder / "features" / "ids.txt").write_text("".join(f"{ident}\n" for ident, _ in rows))
        numpy.save(folder / "features" / "builtin-1.npy", self.rows[[row for _, row in rows]])

    def encode(self, lang):
        lines = "".join(f"{text}\n" for text in SENTENCES[lang]).encode()
        self.say("hinny", "encode", "bundle", "--lang", lang, "--out", "words.npy", given=lines)
        return numpy.load(self.place / "words.npy")

    @staticmethod
    def fingerprint(path):
        """-> hash of a file or of all files of a folder; None where there is none"""
        if not path.exists():
            return None
        files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
        sums = [(str(file.relative_to(path)), file.read_bytes()) for file in files]
        return hashlib.sha256(repr(sums).encode()).hexdigest()


def programs_of(hinny):
    return pathlib.Path(hinny).resolve().parent

"""Dataset folders as Python reads them: the same images and rows as the program."""

import gzip
import json
import os
import subprocess

import hinny
import numpy as np
import pytest

HINNY = os.environ.get("HINNY", "hinny")
# What str.splitlines(), str.split() and str.strip() would part or drop, and what none of them sees.
IDS = ["plain", "no\u00a0break", "next\u0085line", "line\u2028separator", "paragraph\u2029", "\u3000wide",
       "zero\u200bwidth", "\u200djoined", "a b"]


def folder(path, encode, end="\n"):
    os.makedirs(path / "features")
    rows = [{"image": id, "split": "train"} for id in IDS]
    said = [{"image": id, "lang": "en", "text": f"picture {n}", "source": "human-original"} for n, id in enumerate(IDS)]
    for name, lines in (("images.jsonl", [json.dumps(r, ensure_ascii=False) for r in rows]),
                        ("captions.jsonl", [json.dumps(c, ensure_ascii=False) for c in said]),
                        ("features/ids.txt", IDS)):
        (path / name).write_bytes(encode("".join(line + end for line in lines)))
    np.save(path / "features" / "f.npy", np.eye(len(IDS), dtype=np.float32))
    return hinny.Dataset(path)


MARKED = {
    "plain": lambda text: text.encode(),
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "gzip": lambda text: gzip.compress(b"\xef\xbb\xbf" + text.encode()),
}


@pytest.mark.parametrize("encoding", MARKED)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ids_are_whole_whatever_they_hold(tmp_path, encoding, end):
    data = folder(tmp_path / "d", MARKED[encoding], end)
    assert data.ids() == IDS
    assert [id for id, _ in data.captions("en")] == IDS
    assert data.features("f").ids == IDS
    assert data.features("f").of([IDS[3]]).argmax() == 3


def test_the_program_reads_the_same_ids(tmp_path):
    data = folder(tmp_path / "d", MARKED["mark"])
    run, prefix = tmp_path / "run", tmp_path / "r"
    for command in (["train", "bag", "--data", data.path, "--features", "f", "--out", run, "--set", "train.epochs=1",
                     "--set", "sample.images_per_batch=4", "--set", "text.min_count=1"],
                    ["eval", run, "--data", data.path, "--split", "train", "--run", prefix]):
        subprocess.run([HINNY, *map(str, command)], check=True, capture_output=True)
    # What reads TREC's files splits at any white space; the names come back by unquoting.
    from urllib.parse import unquote

    said = [line.split() for line in open(f"{prefix}.en.t2i.qrels", encoding="utf-8")]
    assert all(len(fields) == 4 for fields in said)
    assert [unquote(fields[2]) for fields in said] == IDS


def test_other_encodings_are_named(tmp_path):
    folder(tmp_path / "d", MARKED["plain"])
    (tmp_path / "d" / "images.jsonl").write_text("{}\n", encoding="utf-16")
    with pytest.raises(ValueError, match="UTF-16"):
        hinny.Dataset(tmp_path / "d")
    (tmp_path / "d" / "images.jsonl").write_bytes(b"{}\r{}\r")
    with pytest.raises(ValueError, match="CR alone"):
        hinny.Dataset(tmp_path / "d")


def test_a_missing_row_names_an_id_of_each_side(tmp_path):
    with pytest.raises(KeyError, match="plain.jpg.*plain"):
        folder(tmp_path / "d", MARKED["plain"]).features("f").of(["plain.jpg"])

"""Models, indexes and answers in other processes, other folders and other libraries."""

import copy
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import hinny
from conftest import hinny as program

QUESTIONS = ["drei gelbe Tassen auf einer Wiese", "a red car"]


def ask(index):
    return index.search(QUESTIONS[0], k=3).ids


def encode(model):
    return model.encode(QUESTIONS)


@pytest.mark.parametrize("again", [lambda o: pickle.loads(pickle.dumps(o)), copy.copy, copy.deepcopy])
def test_pickled_and_copied(made, again):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    assert ask(again(index)) == ask(index) and again(index).ids == index.ids
    assert np.array_equal(encode(again(model)), encode(model))


def test_relative_paths_hold_elsewhere(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    index, model = hinny.Index("index"), hinny.Model("run")
    monkeypatch.chdir(tmp_path)
    assert ask(pickle.loads(pickle.dumps(index))) == ask(index)
    assert np.array_equal(encode(pickle.loads(pickle.dumps(model))), encode(model))


def test_pools(made):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    for how in ("spawn", "fork"):
        with multiprocessing.get_context(how).Pool(1) as pool:
            assert pool.apply_async(ask, (index,)).get(60) == ask(index)
            assert np.array_equal(pool.apply_async(encode, (model,)).get(60), encode(model))


def test_what_is_no_longer_there_is_said(made, tmp_path):
    shutil.copytree(made / "run", tmp_path / "run")
    shutil.copytree(made / "index", tmp_path / "index")
    kept = [pickle.dumps(hinny.Index(tmp_path / "index")), pickle.dumps(hinny.Model(tmp_path / "run"))]
    shutil.rmtree(tmp_path / "run")
    shutil.rmtree(tmp_path / "index")
    for one in kept:
        with pytest.raises(FileNotFoundError):
            pickle.loads(one)
    program("export", made / "run", "--out", tmp_path / "run")
    with pytest.raises(ValueError, match="another model"):
        pickle.loads(kept[1])


def test_answers_are_pickled_whole(made):
    index = hinny.Index(made / "index")
    for found in (index.search(QUESTIONS[0], k=4, near_copies=True), index.search(QUESTIONS, k=2),
                  index.search("a red car", min_score=2)):
        again = pickle.loads(pickle.dumps(found))
        for part in ("ids", "files", "taken", "language", "unknown_words"):
            assert getattr(again, part) == getattr(found, part)
        assert np.array_equal(again.scores, found.scores) and len(again) == len(found)
        assert repr(again) == repr(found) == repr(copy.deepcopy(found))
        assert [len(c) for c in again.copies] == [len(c) for c in found.copies]
    one = next(iter(index.search("a red car")))
    again = pickle.loads(pickle.dumps(one))
    assert (again.id, again.file, again.score, again.explanation) == (one.id, one.file, one.score, None)


def test_answers_become_tables(made):
    pandas = pytest.importorskip("pandas")
    index = hinny.Index(made / "index")
    found = index.search(QUESTIONS[0], k=4)
    table = found.to_pandas()
    assert list(table.columns) == ["id", "file", "score", "taken"] and list(table.id) == found.ids
    assert table.score.dtype == np.float32 and np.array_equal(table.score, found.scores)
    several = index.search(QUESTIONS, k=3).to_pandas()
    assert list(several.question) == [0, 0, 0, 1, 1, 1]
    assert list(several[several.question == 1].id) == index.search(QUESTIONS[1], k=3).ids
    nothing = index.search("a red car", min_score=2).to_pandas()
    assert len(nothing) == 0 and list(nothing.columns) == list(table.columns)
    assert isinstance(table, pandas.DataFrame)


def test_pandas_is_not_needed():
    code = "import hinny, sys; print('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"False"


def test_children_of_a_process_that_has_worked_work(made):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    expected = ask(index)
    encode(model)
    child = os.fork()
    if child == 0:
        os._exit(0 if ask(index) == expected and len(encode(model)) == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

import io
import json
import shutil
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import hinny
from conftest import hinny as program

QUESTIONS = ["drei gelbe Tassen auf einer Wiese", "a red car", "zwei Vögel"]


def test_search_is_what_the_program_prints(made):
    index = hinny.Index(made / "index")
    for options, extra in (([], {}), (["-k", 3, "--not", "a meadow"], {"k": 3, "exclude": ["a meadow"]}),
                           (["--min-score", 0.2], {"min_score": 0.2}),
                           (["--also", "en=two birds"], {"also": {"en": "two birds"}})):
        for question in QUESTIONS:
            printed = json.loads(program("search", made / "index", question, "--json", *options))
            found = index.search(question, **extra)
            assert found.ids == [r["image"] for r in printed["results"]]
            assert found.files == [r["file"] for r in printed["results"]]
            assert [round(float(s), 6) for s in found.scores] == [r["score"] for r in printed["results"]]
            assert found.language == printed["language"]


def test_what_a_search_says_of_a_picture(made, tmp_path):
    folder = tmp_path / "pictures"
    shutil.copytree(made / "pictures" / "images", folder)
    program("bundle", made / "run", "--out", tmp_path / "bundle")
    program("index", tmp_path / "bundle", "--pictures", folder, "--out", tmp_path / "index")
    index = hinny.Index(tmp_path / "index")
    question = "a red car last year"
    printed = json.loads(program("search", tmp_path / "index", question, "--json"))
    heard = index.search(question, literal=False)
    assert [one.text for one in heard.heard] == [one["text"] for one in printed["heard"]] == ["last year"]
    assert (heard.heard[0].since, heard.heard[0].until) == (printed["heard"][0]["since"], printed["heard"][0]["until"])
    assert heard.ids == [r["image"] for r in printed["results"]]
    assert index.search(question).heard == [] and len(index.search(question)) == 10
    assert index.search("a red car").fits == [None] * 10  # the model remembers nothing
    assert index.search("a red car").places == [None] * 10
    assert len(index.search("a red car", near="47.3769,8.5417", within="10km")) == 0
    assert len(index.search("a red car", camera="nikon")) == 0
    shown = index.search("a red car", shape="square", min_size="20x20", max_size="50MP")
    assert len(shown) == 10 and all(width == height >= 20 for width, height in shown.sizes)
    assert len(index.search("a red car", shape="portrait")) == len(index.search("a red car", min_size="50MP")) == 0
    with pytest.raises(ValueError, match="such as 12MP"):
        index.search("a red car", min_size="large")
    with pytest.raises(ValueError, match="least fit"):
        index.search("a red car", min_fit=0.5)


def test_several_questions_and_pictures(made):
    index = hinny.Index(made / "index")
    many = index.search(QUESTIONS, k=4)
    assert many.scores.shape == (3, 4) and len(many) == 3
    assert [one.ids for one in many] == many.ids == [index.search(q, k=4).ids for q in QUESTIONS]
    like = index.search(like=index.ids[5], k=4)
    assert index.ids[5] not in like.ids and like.language == ""
    assert str(like.ids[0]) in repr(like) and "<figure" in like._repr_html_()


def test_names_are_shown_on_a_line_without_what_a_terminal_obeys():
    name = "a\x1b]0;t\ab\nc\x9b\u202e\udce9"  # the last: a byte that is no UTF-8
    found = SimpleNamespace(results=[SimpleNamespace(score=0.5, id="é " + name, file=name)])
    shown = repr(hinny.Answer([found], True))
    assert shown.isprintable() and "é a\\x1b]0;t\\x07b\\nc\\x9b\\u202e\\udce9" in shown


def test_encode_is_what_the_program_writes(made):
    model = hinny.Model(made / "run")
    text = "\n".join(QUESTIONS).encode()
    written = np.load(io.BytesIO(program("encode", made / "run", stdin=text)))
    vectors = model.encode(QUESTIONS)
    assert vectors.dtype == np.float32 and vectors.shape == (3, model.dim)
    np.testing.assert_array_equal(vectors, written)
    np.testing.assert_array_equal(model.encode(QUESTIONS, lang=model.guess_language(QUESTIONS)), written)
    assert model.encode(QUESTIONS[0]).shape == (model.dim,)
    assert model.encode([]).shape == (0, model.dim)
    assert model.guess_language("zwei Vögel") == "de"
    assert not np.array_equal(model.encode("zwei Vögel", lang="en"), model.encode("zwei Vögel", lang="de"))


def test_vectors_are_a_view_that_answers(made):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    vectors = index.vectors
    assert vectors.shape == (len(index), index.dim) and not vectors.flags.writeable
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    query = model.encode(QUESTIONS)
    found = index.search(query, k=3)
    best = np.argsort(-(query @ vectors.T), axis=1, kind="stable")[:, :3]
    assert found.ids == [[index.ids[i] for i in row] for row in best]
    np.testing.assert_allclose(found.scores, np.take_along_axis(query @ vectors.T, best, 1), atol=1e-5)
    data = hinny.Dataset(made / "pictures")
    rows = data.features("builtin-1").of(index.ids)
    np.testing.assert_allclose(model.encode_features(rows), vectors, atol=2e-2)  # the index is in int8
    assert index.search(features=rows[7], k=1).ids == [index.ids[7]]


def test_arrays_of_any_kind_are_taken(made):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    query = model.encode(QUESTIONS)
    for other in (query.astype(np.float64), np.asfortranarray(query), np.repeat(query, 2, 1)[:, ::2]):
        assert index.search(other, k=5).ids == index.search(query, k=5).ids


def test_recall_is_what_eval_prints(made):
    model, data = hinny.Model(made / "run"), hinny.Dataset(made / "pictures")
    ids = data.ids("test")
    images = model.encode_features(data.features("builtin-1").of(ids))
    captions = data.captions("de", "test")
    vectors = model.encode([text for _, text in captions], lang="de")
    found = hinny.recall(images, vectors, [ids.index(image) for image, _ in captions])
    printed = json.loads(program("eval", made / "run", "--data", made / "pictures", "--json"))
    german = printed["languages"]["de"]
    assert found.i2t == pytest.approx([german["image_to_text"][k] for k in ("r1", "r5", "r10")], abs=0.01)
    assert found.t2i == pytest.approx([german["text_to_image"][k] for k in ("r1", "r5", "r10")], abs=0.01)
    assert found.mR == pytest.approx(german["mean_recall"], abs=0.01)


def test_recall_by_hand():
    images = np.eye(3, dtype=np.float32)
    captions = np.array([[1, 0, 0], [0, 0.5, 0.9], [0, 0, 1]], np.float32)
    found = hinny.recall(images, captions, [0, 1, 2])
    assert found.i2t == pytest.approx((100, 100, 100)) and found.t2i == pytest.approx((200 / 3, 100, 100))
    assert hinny.recall(images, np.full((3, 3), np.nan, np.float32), [0, 1, 2]).mR == 0


@pytest.mark.parametrize("call, problem, says", [
    (lambda i, m: i.search(), ValueError, "nothing to look for"),
    (lambda i, m: i.search([]), ValueError, "no question"),
    (lambda i, m: i.search("xyzzy qwrtz", lang="en"), ValueError, "knows no word"),
    (lambda i, m: i.search("a dog", lang="ja"), ValueError, "ja"),
    (lambda i, m: i.search("a dog", k=0), ValueError, "k = 0"),
    (lambda i, m: i.search("a dog", k="many"), ValueError, "many"),
    (lambda i, m: i.search("a dog", since="soon"), ValueError, "soon"),
    (lambda i, m: i.search("a dog", since="2024"), ValueError, "taken"),
    (lambda i, m: i.search("a dog", sort="colour"), ValueError, "colour"),
    (lambda i, m: i.search("a dog", sort="time"), ValueError, "taken"),
    (lambda i, m: i.search("a dog", exclude="snow", exclude_weight=-1), ValueError, "weight"),
    (lambda i, m: i.search(like="nobody"), FileNotFoundError, "nobody"),
    (lambda i, m: i.search(features=[1.0]), ValueError, "features"),
    (lambda i, m: i.search(np.zeros(3)), ValueError, "shape"),
    (lambda i, m: i.search(np.full(i.dim, np.nan)), ValueError, "not finite"),
    (lambda i, m: i.search(np.zeros(i.dim), rerank=5), ValueError, "rerank"),
    (lambda i, m: i.search(np.zeros(i.dim), lang="ja"), ValueError, "ja"),
    (lambda i, m: i.remove("nobody"), FileNotFoundError, "nobody"),
    (lambda i, m: i.file("nobody"), FileNotFoundError, "nobody"),
    (lambda i, m: m.encode(["a"], lang=["en", "de"]), ValueError, "languages"),
    (lambda i, m: m.encode("a", lang="xx"), ValueError, "xx"),
    (lambda i, m: m.encode("\udcff"), ValueError, "UTF-8"),
    (lambda i, m: m.encode([b"a dog"]), TypeError, "bytes"),
    (lambda i, m: m.encode_features(np.zeros((2, 3))), ValueError, "shape"),
    (lambda i, m: m.encode_features(np.full((1, m.feature_size), np.inf)), ValueError, "not finite"),
    (lambda i, m: hinny.Model("/nowhere"), FileNotFoundError, "nowhere"),
    (lambda i, m: hinny.Index("/nowhere"), FileNotFoundError, "nowhere"),
    (lambda i, m: hinny.Index(m.path), ValueError, "no index"),
    (lambda i, m: hinny.recall(np.zeros((2, 3)), np.zeros((2, 4)), [0, 1]), ValueError, "numbers"),
    (lambda i, m: hinny.recall(np.zeros((2, 3)), np.zeros((2, 3)), [0, 2]), ValueError, "owners"),
    (lambda i, m: hinny.recall(np.zeros((2, 3)), np.zeros((2, 3)), [0.5, 1]), ValueError, "whole"),
    (lambda i, m: hinny.recall(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, int)), ValueError, "images"),
])
def test_bad_input(made, call, problem, says):
    with pytest.raises(problem, match=says):
        call(hinny.Index(made / "index"), hinny.Model(made / "run"))


def test_a_broken_index_is_a_value_error(made, tmp_path):
    shutil.copytree(made / "index", tmp_path / "index")
    (tmp_path / "index" / "index.json").write_text("{")
    with pytest.raises(ValueError, match="index.json"):
        hinny.Index(tmp_path / "index")


def test_changes_are_seen(made, tmp_path):
    shutil.copytree(made / "index", tmp_path / "index")
    here, there = hinny.Index(tmp_path / "index"), hinny.Index(tmp_path / "index")
    before, view = len(here), here.vectors
    gone = here.ids[3]
    here.remove([gone])
    assert len(here) == before - 1 and gone not in here.ids
    assert len(there) == before and there.reload() and len(there) == before - 1 and not there.reload()
    assert view.shape[0] == before and np.isfinite(view).all()  # what was taken stays


def test_adds_and_updates(made, tmp_path):
    shutil.copytree(made / "index", tmp_path / "index")
    index = hinny.Index(tmp_path / "index")
    every = index.ids
    expected = index.search(QUESTIONS[0], k=5)
    gone = expected.ids[0]
    index.remove(gone)
    assert index.search(QUESTIONS[0], k=5).ids[:4] == expected.ids[1:]
    assert index.add(made / "pictures") == (1, 0, 0, len(every) - 1)
    again = index.search(QUESTIONS[0], k=5)
    assert again.ids == expected.ids and np.array_equal(again.scores, expected.scores)
    done = index.update(made / "pictures", split="test")
    assert done.added == 0 and done.removed == len(every) - len(index) and set(index.ids) < set(every)
    with pytest.raises(FileNotFoundError):
        index.add(tmp_path / "none")
    with pytest.raises(ValueError, match="nosuch"):
        index.add(made / "pictures", split="nosuch")


def test_threads_share(made):
    index, model = hinny.Index(made / "index"), hinny.Model(made / "run")
    expected = [index.search(q).ids for q in QUESTIONS], model.encode(QUESTIONS)
    wrong = []

    def ask():
        for _ in range(20):
            if [index.search(q).ids for q in QUESTIONS] != expected[0]:
                wrong.append("search")
            if not np.array_equal(model.encode(QUESTIONS), expected[1]):
                wrong.append("encode")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

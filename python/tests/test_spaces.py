"""A model with an image space for each language: vectors are asked for by language, or refused."""

import json

import numpy as np
import pytest

import hinny
from conftest import hinny as program


def test_vectors_measure_what_eval_measures(spaces):
    model, data = hinny.Model(spaces / "spaces"), hinny.Dataset(spaces / "pictures")
    printed = json.loads(program("eval", spaces / "spaces", "--data", spaces / "pictures", "--json"))["languages"]
    ids = data.ids("test")
    features = data.features("builtin-1").of(ids)
    for lang in ("de", "en"):
        captions = data.captions(lang, split="test")
        found = hinny.recall(model.encode_features(features, lang=lang),
                             model.encode([text for _, text in captions], lang=lang),
                             [ids.index(image) for image, _ in captions])
        assert found.mR == pytest.approx(printed[lang]["mean_recall"], abs=0.5)


def test_an_index_has_vectors_for_each_language(spaces):
    model, index = hinny.Model(spaces / "spaces"), hinny.Index(spaces / "spaces-index")
    rows = hinny.Dataset(spaces / "pictures").features("builtin-1").of(index.ids)
    for lang in ("de", "en"):
        vectors = index.vectors_for(lang)
        np.testing.assert_allclose(model.encode_features(rows, lang=lang), vectors, atol=2e-2)
        query = model.encode(["a red car", "zwei Katzen"], lang=lang)
        found = index.search(query, k=3, lang=lang)
        best = np.argsort(-(query @ vectors.T), axis=1, kind="stable")[:, :3]
        assert found.ids == [[index.ids[i] for i in row] for row in best]
    assert not np.allclose(index.vectors_for("de"), index.vectors_for("en"), atol=0.1)


@pytest.mark.parametrize("call", [
    lambda i, m: m.encode("a red car"),
    lambda i, m: m.encode(["a red car"], lang=[""]),
    lambda i, m: m.encode_features(np.ones(m.feature_size)),
    lambda i, m: i.vectors,
    lambda i, m: i.search(m.encode("a red car", lang="en")),
])
def test_without_a_language_they_are_refused(spaces, call):
    with pytest.raises(ValueError, match="one of (en, de|de, en)"):
        call(hinny.Index(spaces / "spaces-index"), hinny.Model(spaces / "spaces"))


def test_sentences_need_no_language(spaces):
    assert hinny.Index(spaces / "spaces-index").search("zwei Katzen", k=1).language == "de"


def test_a_model_with_one_space_has_the_same_vectors_for_all(made):
    model, index = hinny.Model(made / "run"), hinny.Index(made / "index")
    rows = np.ones((2, model.feature_size))
    assert np.array_equal(model.encode_features(rows), model.encode_features(rows, lang="de"))
    assert np.array_equal(index.vectors, index.vectors_for("en"))
    assert index.search(index.vectors[0], k=3).ids == index.search(index.vectors[0], k=3, lang="de").ids
    with pytest.raises(ValueError, match="ja"):
        model.encode_features(rows, lang="ja")
    with pytest.raises(ValueError, match="ja"):
        index.vectors_for("ja")

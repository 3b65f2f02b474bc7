"""A bundle of a pretrained model's folder, tiny: its own text tower reads what is asked."""

import pathlib

import hinny
import numpy as np
from conftest import hinny as program

FOLDERS = pathlib.Path(__file__).parents[2] / "tests" / "pretrained" / "folders"


def test_a_pretrained_model_reads_and_answers(made, tmp_path):
    bundle, index = tmp_path / "clip", tmp_path / "index"
    program("bundle", FOLDERS / "clip", "--out", bundle)
    program("index", bundle, "--pictures", made / "pictures" / "images", "--out", index)
    model = hinny.Model(bundle)
    asked = ["a red bird", "three yellow cups"]
    vectors = model.encode(asked)
    assert vectors.shape == (2, 20)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    found = hinny.Index(index).search(asked[0])
    said = program("search", index, asked[0]).decode().split()
    assert said[1] == found.ids[0]
    assert abs(float(said[0]) - found.scores[0]) < 1e-4

"""A trained model: sentences and pictures' features to vectors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import _hinny, text

if TYPE_CHECKING:  # loaded for checkers alone: `import hinny` stays quick
    from numpy.typing import ArrayLike, NDArray


def _opened_again(path, hash):
    model = Model(path)
    if model.hash != hash:
        raise ValueError(f"{path!r} holds another model than when it was pickled (expected {hash})")
    return model


class Model:
    """What `hinny train`, `hinny export` or `hinny bundle` wrote. Threads may share it. Pickled, it is its path:
    whoever unpickles it opens the same model there.

    Raises FileNotFoundError, and ValueError for a folder that is broken.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = os.fspath(path)
        self._place = os.path.abspath(self.path)  # for other processes, wherever they work
        self._model = _hinny.Model(self.path)

    def __reduce__(self):
        return _opened_again, (self._place, self.hash)

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return self._model.dim

    @property
    def feature_size(self) -> int:
        """Numbers in a picture's features."""
        return self._model.feature_size

    @property
    def languages(self) -> list[str]:
        """Codes of the languages that it reads."""
        return self._model.languages

    @property
    def hash(self) -> str:
        """Identifies the model: vectors of one model compare with each other alone."""
        return self._model.hash

    def encode(self, sentences: str | Sequence[str], lang: str | Sequence[str] | None = None) -> NDArray[np.float32]:
        """Sentences to vectors of length 1, as `hinny encode` does.

        sentences: a str -> float32 [dim]; a sequence of str -> float32 [sentences, dim].
        lang: a code for all, a sequence with one for each, or None to guess each one's; a model with an image
        space for each language cannot compare what is guessed, and needs it.
        """
        single = isinstance(sentences, str)
        texts = text.sentences([sentences] if single else sentences)
        languages = [] if lang is None else [lang] if isinstance(lang, str) else list(lang)
        if languages and not isinstance(lang, str) and len(languages) != len(texts):
            raise ValueError(f"{len(languages)} languages of {len(texts)} sentences (expected one of each)")
        vectors = self._model.encode(texts, languages)
        return vectors[0] if single else vectors

    def guess_language(self, sentences: str | Sequence[str]) -> str | list[str]:
        """The language that a sentence's words tell: a str -> a str, a sequence -> a list."""
        if isinstance(sentences, str):
            return self._model.guess_languages(text.sentences([sentences]))[0]
        return self._model.guess_languages(text.sentences(sentences))

    def encode_features(self, features: ArrayLike, lang: str | None = None) -> NDArray[np.float32]:
        """Pictures' features to vectors of length 1.

        features: numbers, [feature_size] -> float32 [dim]; [pictures, feature_size] -> [pictures, dim].
        lang: of the sentences that they are to be compared with; a model with an image space for each language
        needs it, others have the same vectors for all.
        """
        features = np.asarray(features, dtype=np.float32)
        if features.ndim not in (1, 2) or features.shape[-1] != self.feature_size:
            raise ValueError(f"features of shape {list(features.shape)} (expected [pictures, "
                             f"{self.feature_size}])")
        vectors = self._model.encode_features(features, lang or "")
        return vectors[0] if features.ndim == 1 else vectors

    def __repr__(self) -> str:
        return f"hinny.Model({self.path!r}): {', '.join(self.languages)}; {self.dim} numbers a vector"

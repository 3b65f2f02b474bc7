"""A collection of pictures that can be asked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _hinny, text

if TYPE_CHECKING:  # loaded for checkers alone: `import hinny` stays quick
    import pandas
    from numpy.typing import ArrayLike, NDArray

_SHOWN = 24  # pictures in a notebook
_MOST_BYTES = 8 << 20  # of a picture that a notebook shows


class Answer:
    """What was found: for one question [k], for several [questions, k].

    ids, files, scores, taken: lists of str, str, and a float32 array; of several questions lists of these
    (an array where all found equally many). language, unknown_words: how a sentence was read.
    """

    def __init__(self, answers, single):
        self._answers = answers
        self._single = single

    def _each(self, take):
        rows = [take(answer) for answer in self._answers]
        return rows[0] if self._single else rows

    @property
    def ids(self) -> list:
        return self._each(lambda answer: [r.id for r in answer.results])

    @property
    def files(self) -> list:
        return self._each(lambda answer: [r.file for r in answer.results])

    @property
    def taken(self) -> list:
        """ "2024-06-15 10:30:00", or "" where the index does not know."""
        return self._each(lambda answer: [r.taken for r in answer.results])

    @property
    def scores(self) -> NDArray[np.float32] | list:
        """Cosines, float32: [k] or [questions, k]; a list of [k] where not all found equally many."""
        rows = self._each(lambda answer: np.array([r.score for r in answer.results], np.float32))
        if self._single or len({len(row) for row in rows}) != 1:
            return rows
        return np.stack(rows)

    @property
    def fits(self) -> list:
        """The chance, 0 to 1, that each belongs to the question; None where that is not known."""
        return self._each(lambda answer: [r.fit for r in answer.results])

    @property
    def places(self) -> list:
        """(latitude, longitude) where each was taken, or None."""
        return self._each(lambda answer: [r.place for r in answer.results])

    @property
    def towns(self) -> list:
        """Where each was taken, "Lisbon, PT", or ""."""
        return self._each(lambda answer: [r.town for r in answer.results])

    @property
    def sizes(self) -> list:
        """(width, height) in pixels of each as it is shown, or None."""
        return self._each(lambda answer: [r.size for r in answer.results])

    @property
    def seconds(self) -> list:
        """Of a frame of a film its moment there, else None."""
        return self._each(lambda answer: [r.second for r in answer.results])

    @property
    def heard(self) -> list:
        """Of search(..., literal=False): objects with text, since, until, town, camera, folder."""
        return self._each(lambda answer: answer.heard)

    @property
    def copies(self) -> list:
        """Of search(..., near_copies=True): for each result a list of its near copies."""
        return self._each(lambda answer: [r.copies for r in answer.results])

    @property
    def explanations(self) -> list:
        """Of search(..., explain=True): objects with words (text, share, regions), regions, grid."""
        return self._each(lambda answer: [r.explanation for r in answer.results])

    @property
    def language(self) -> str | list[str]:
        return self._each(lambda answer: answer.language)

    @property
    def unknown_words(self) -> list:
        return self._each(lambda answer: answer.unknown_words)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each result, best first: id, file, score, taken; of several questions, before these the
        question's number. Needs pandas."""
        import pandas  # here: Hinny itself does without

        rows = [(question, r.id, r.file, r.score, r.taken)
                for question, answer in enumerate(self._answers) for r in answer.results]
        frame = pandas.DataFrame(rows, columns=["question", "id", "file", "score", "taken"])
        frame = frame.astype({"question": "int64", "score": "float32"})
        return frame.drop(columns="question") if self._single else frame

    def __len__(self) -> int:
        return len(self._answers[0].results) if self._single else len(self._answers)

    def __iter__(self) -> Iterator[Any]:
        """Results (id, file, score, taken) of one question, or an Answer for each of several."""
        if self._single:
            return iter(self._answers[0].results)
        return iter([Answer([answer], True) for answer in self._answers])

    def __repr__(self) -> str:
        lines = []
        for answer in self._answers:
            lines += [text.one_line(f"{r.score:7.4f}  {r.id}  {r.file}") for r in answer.results] + [""]
        return "\n".join(lines[:-1])

    def _repr_html_(self) -> str:
        return "".join(_grid(answer.results) for answer in self._answers)


def _picture(path):
    """A picture as a data URL, or None where a browser could not show it."""
    import base64  # here and below: for notebooks alone
    import mimetypes

    kind, _ = mimetypes.guess_type(path)
    if kind not in ("image/jpeg", "image/png", "image/webp", "image/gif"):
        return None
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            return None
        with open(path, "rb") as file:
            return f"data:{kind};base64,{base64.b64encode(file.read()).decode()}"
    except OSError:
        return None


def _grid(results):
    import html

    cells = []
    for result in results[:_SHOWN]:
        source = _picture(result.file) if result.file else None
        name = html.escape(result.id, quote=True)
        shown = f'<img src="{source}" alt="{name}" style="height:9em">' if source else name
        cells.append(f'<figure style="margin:4px;display:inline-block">{shown}<figcaption>'
                     f"{result.score:.3f} {name}</figcaption></figure>")
    return f"<div>{''.join(cells)}</div>"


def _text(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str) else repr(float(value)) if isinstance(value, float) else str(value)


def _several(values):
    return [] if values is None else [values] if isinstance(values, str) else list(values)


class Change(NamedTuple):
    """How many pictures were not there, differ, are gone, and are as they were."""

    added: int
    changed: int
    removed: int
    kept: int


class Index:
    """A folder that `hinny index` wrote. Threads may share it. Pickled, it is its path: whoever unpickles it
    opens the version that the folder then has.

    Raises FileNotFoundError, and ValueError for a folder that is broken.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = os.fspath(path)
        self._place = os.path.abspath(self.path)  # for other processes, wherever they work
        self._collection = _hinny.Collection(self.path)

    def __reduce__(self):
        return Index, (self._place,)

    def search(self, query: str | Sequence[str] | NDArray | None = None, k: int = 10, *,
               lang: str | None = None, also: dict[str, str] | None = None,
               like: str | Sequence[str] | None = None, features: ArrayLike | None = None,
               exclude: str | Sequence[str] | None = None, picture_weight: float | None = None,
               exclude_weight: float | None = None, min_score: float | None = None, since: str | None = None,
               until: str | None = None, folder: str | None = None, rerank: int | None = None,
               sort: str = "score", near_copies: bool = False, explain: bool = False,
               min_fit: float | None = None, near: str | None = None, within: str | None = None,
               camera: str | None = None, lens: str | None = None, literal: bool = True,
               kind: str | None = None, each_frame: bool = False, town: str | None = None,
               shape: str | None = None, min_size: str | None = None,
               max_size: str | None = None) -> Answer:
        """The pictures that fit best, as `hinny search` finds them.

        query: a sentence; a sequence of sentences, one question each; or an array of vectors, [dim] or
            [queries, dim], as Model.encode gives them, compared by dot product.
        lang: of the sentences (default: guessed); of vectors, the language whose image space they lie in, where
            the model has several. also: {language: the sentence in it}.
        like: ids of pictures of the index. features: of a picture, [feature_size].
        exclude: sentences that pictures should not fit.
        min_score, since, until ("2024-06"), folder: which pictures to keep; the k best of these.
        sort: "time": newest first, of all that reach min_score, or without one of the k best.
        near_copies: near copies of a picture become one result, whose `copies` they are.
        min_fit: leaves out what belongs to the question with a smaller chance (`fits`).
        near ("47.3769,8.5417"), within ("10km"), town, camera, lens: where and with what pictures were taken.
        shape: "landscape", "portrait" or "square". min_size, max_size ("12MP", "1920x1080"): pixels of pictures.
        kind: "film" or "picture", only such. each_frame: each frame of a film is a result, not the best one alone.
        literal: False takes times, towns, cameras and folders out of the sentence, as filters (`heard`).
        """
        fields = [("k", _text(k))]
        fields += [("lang", lang)] if lang is not None else []
        fields += [("also", f"{code}={said}") for code, said in (also or {}).items()]
        fields += [("like", one) for one in _several(like)]
        fields += [("not", one) for one in _several(exclude)]
        for name, value in (("image_weight", picture_weight), ("not_weight", exclude_weight),
                            ("min_score", min_score), ("since", since), ("until", until), ("in", folder),
                            ("rerank", rerank), ("min_fit", min_fit), ("near", near), ("within", within),
                            ("town", town), ("camera", camera), ("lens", lens), ("shape", shape),
                            ("min_size", min_size), ("max_size", max_size), ("kind", kind)):
            if value is not None:
                fields.append((name, _text(value)))
        if sort != "score":
            fields.append(("sort", sort))
        if near_copies:
            fields.append(("near_copies", "1"))
        if explain:
            fields.append(("explain", "1"))
        if each_frame:
            fields.append(("each_frame", "1"))
        if not literal:
            fields.append(("literal", "0"))
        given = [] if features is None else [np.asarray(features, dtype=np.float32).ravel()]
        if query is None or isinstance(query, str):
            texts = [] if query is None else text.sentences([query])
            return Answer(self._collection.search(texts, fields, given), True)
        if isinstance(query, np.ndarray) and query.dtype.kind in "fiu":
            return self._nearest(query, fields, given)
        texts = text.sentences(query)
        if not texts:
            raise ValueError("no question (expected a sentence, or several)")
        return Answer(self._collection.search(texts, fields, given), False)

    def _nearest(self, vectors, fields, given):
        unfit = [name for name, _ in fields if name not in ("k", "lang", "min_score", "since", "until", "in")]
        if unfit or given:
            raise ValueError(f"'{(unfit + ['features'])[0]}' with vectors (expected sentences, or k, lang, "
                             "min_score, since, until and folder alone)")
        vectors = vectors.astype(np.float32, copy=False)
        if vectors.ndim not in (1, 2) or vectors.shape[-1] != self.dim:
            raise ValueError(f"vectors of shape {list(vectors.shape)} (expected [queries, {self.dim}])")
        return Answer(self._collection.nearest(vectors, fields), vectors.ndim == 1)

    @property
    def vectors(self) -> NDArray[np.float32]:
        """float32 [pictures, dim], in the order of ids: a read-only view of the file, without a copy. Of a model
        with an image space for each language: vectors_for(lang)."""
        return self._collection.vectors("")

    def vectors_for(self, lang: str) -> NDArray[np.float32]:
        """The same, to be compared with sentences in this language."""
        return self._collection.vectors(lang)

    @property
    def ids(self) -> list[str]:
        return self._collection.ids

    @property
    def dim(self) -> int:
        return self._collection.dim

    @property
    def languages(self) -> list[str]:
        return self._collection.languages

    @property
    def model_hash(self) -> str:
        """Model.hash of the model that its vectors were made with."""
        return self._collection.model_hash

    def file(self, id: str) -> str:
        """Where a picture is, or "" when the index knows no file."""
        return self._collection.file(id)

    def add(self, data: str | os.PathLike, split: str | Sequence[str] = "all") -> Change:
        """Adds the pictures of a dataset folder that have the features which the index was made from, in the
        folder too; a picture whose id is there takes that place."""
        return Change(*self._collection.add(os.fspath(data), _several(split)))

    def update(self, data: str | os.PathLike, split: str | Sequence[str] = "all") -> Change:
        """The same, and afterwards the index holds no other pictures."""
        return Change(*self._collection.update(os.fspath(data), _several(split)))

    def remove(self, ids: str | Sequence[str]) -> None:
        """Takes pictures out, in the folder too. Raises FileNotFoundError, and changes nothing, when one
        is not there."""
        self._collection.remove(_several(ids))

    def reload(self) -> bool:
        """Opens the folder again if it has changed; True when it had."""
        return self._collection.reload()

    def __len__(self) -> int:
        return self._collection.size

    def __repr__(self) -> str:
        return f"hinny.Index({self.path!r}): {len(self)} pictures; {', '.join(self.languages)}"

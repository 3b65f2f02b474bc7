"""Search pictures with sentences in many languages.

    import hinny

    photos = hinny.Index("myphotos")              # a folder that `hinny index` wrote
    found = photos.search("ein Hund springt ins Wasser", k=5)
    print(found.files, found.scores)

    model = hinny.Model("runs/mine")              # a run, an export or a bundle
    model.encode(["ein Hund", "a dog"])           # float32 [2, model.dim], rows of length 1

What is given wrongly is a ValueError with the sentence that `hinny` prints; a file, a folder or a picture
that is not there is a FileNotFoundError.
"""

from ._hinny import version as _version
from .dataset import Dataset, Features, Run
from .index import Answer, Change, Index
from .model import Model
from .recall import Recall, recall
from .train import TrainingFailed, train

__version__ = _version()
__all__ = ["Answer", "Change", "Dataset", "Features", "Index", "Model", "Recall", "Run", "TrainingFailed", "recall",
           "train"]

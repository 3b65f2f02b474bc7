"""M-CLIP (Carlsson et al. 2022): the mean state of an XLM-R, or of LaBSE's BERT, mapped into a CLIP's space. Text alone."""
from torch import nn

import bert
from attention import mean_over

class Model(nn.Module):
    IGNORED = tuple("transformer." + name for name in bert.States.IGNORED)

    def __init__(self, config, shapes):
        super().__init__()
        transformer = bert.measured("transformer.", shapes, config["modelBase"])
        self.transformer = bert.States({**transformer, **config, "model_type": transformer["model_type"]})
        self.LinearTransformation = nn.Linear(config["transformerDimensions"], config["numDims"])

    def text_vectors(self, ids, mask):
        return self.LinearTransformation(mean_over(self.transformer(ids, mask), mask))

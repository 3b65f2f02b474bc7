"""What modules.json of sentence-transformers composes: a transformer's states, pooled, mapped, normalised."""
import json

import torch
from torch import nn

import bert
import distilbert
from attention import mean_over
from weights import read_weights

ACTIVATIONS = {"torch.nn.modules.linear.Identity": nn.Identity(), "torch.nn.modules.activation.Tanh": nn.Tanh()}


class Pooling(nn.Module):
    def __init__(self, folder):
        super().__init__()
        config = json.loads((folder / "config.json").read_text())
        modes = [key for key, value in config.items() if key.startswith("pooling_mode_") and value]
        if modes not in (["pooling_mode_mean_tokens"], ["pooling_mode_cls_token"]):
            raise ValueError(f"{folder}: {modes}")
        self.first = modes == ["pooling_mode_cls_token"]

    def forward(self, states, mask):
        return states[:, 0] if self.first else mean_over(states, mask)


class Dense(nn.Module):
    def __init__(self, folder):
        super().__init__()
        config = json.loads((folder / "config.json").read_text())
        self.linear = nn.Linear(config["in_features"], config["out_features"], bias=config["bias"])
        self.activation = ACTIVATIONS[config["activation_function"]]
        self.load_state_dict(read_weights(folder))

    def forward(self, x):
        return self.activation(self.linear(x))


class Normalize(nn.Module):
    def __init__(self, folder):
        super().__init__()

    def forward(self, x):
        return x / torch.linalg.norm(x, dim=1, keepdim=True)


class Model(nn.Module):
    IGNORED = bert.States.IGNORED + distilbert.States.IGNORED

    def __init__(self, folder):
        super().__init__()
        modules = sorted(json.loads((folder / "modules.json").read_text()), key=lambda module: module["idx"])
        kinds = [module["type"].rsplit(".", 1)[1] for module in modules]
        if kinds[:2] != ["Transformer", "Pooling"]:
            raise ValueError(f"{folder}: {kinds}")
        folders = [folder / module["path"] for module in modules]
        self.weights = folders[0]
        config = json.loads((folders[0] / "config.json").read_text())
        self.states = (distilbert if config["model_type"] == "distilbert" else bert).States(config)
        self.pooling = Pooling(folders[1])
        self.rest = nn.Sequential(*({"Dense": Dense, "Normalize": Normalize}[kind](path)
                                    for kind, path in zip(kinds[2:], folders[2:])))

    def load(self, tensors):
        return self.states.load_state_dict(tensors, strict=False)

    def text_vectors(self, ids, mask):
        return self.rest(self.pooling(self.states(ids, mask), mask))

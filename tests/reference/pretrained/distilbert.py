"""DistilBERT (Sanh et al. 2019) as Hugging Face lays it out: the states of every token."""
import torch
from torch import nn

from attention import ACTIVATIONS, attend

DEFAULTS = {"vocab_size": 30522, "max_position_embeddings": 512, "n_layers": 6, "n_heads": 12, "dim": 768, "hidden_dim": 3072,
            "activation": "gelu"}
EPSILON = 1e-12  # no key says it


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config["vocab_size"], config["dim"])
        self.position_embeddings = nn.Embedding(config["max_position_embeddings"], config["dim"])
        self.LayerNorm = nn.LayerNorm(config["dim"], eps=EPSILON)

    def forward(self, ids):
        return self.LayerNorm(self.word_embeddings(ids) + self.position_embeddings(torch.arange(ids.shape[1])))


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config["n_heads"]
        self.q_lin, self.k_lin, self.v_lin, self.out_lin = (nn.Linear(config["dim"], config["dim"]) for _ in range(4))

    def forward(self, x, allowed):
        return self.out_lin(attend(self.q_lin(x), self.k_lin(x), self.v_lin(x), self.heads, allowed))


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.activation = ACTIVATIONS[config["activation"]]
        self.lin1 = nn.Linear(config["dim"], config["hidden_dim"])
        self.lin2 = nn.Linear(config["hidden_dim"], config["dim"])

    def forward(self, x):
        return self.lin2(self.activation(self.lin1(x)))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config)
        self.sa_layer_norm = nn.LayerNorm(config["dim"], eps=EPSILON)
        self.ffn = FeedForward(config)
        self.output_layer_norm = nn.LayerNorm(config["dim"], eps=EPSILON)

    def forward(self, x, allowed):
        x = self.sa_layer_norm(x + self.attention(x, allowed))
        return self.output_layer_norm(x + self.ffn(x))


class Transformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(config["n_layers"]))

    def forward(self, x, allowed):
        for layer in self.layer:
            x = layer(x, allowed)
        return x


class States(nn.Module):
    IGNORED = ("vocab_",)

    def __init__(self, config):
        super().__init__()
        config = {**DEFAULTS, **config}
        self.embeddings = Embeddings(config)
        self.transformer = Transformer(config)

    def forward(self, ids, mask):
        return self.transformer(self.embeddings(ids), mask[:, None, None, :])

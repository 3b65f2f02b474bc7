"""BERT (Devlin et al. 2019) and XLM-R (Conneau et al. 2020) as Hugging Face lays them out: the states of every token."""
import torch
from torch import nn

from attention import ACTIVATIONS, attend, mean_over

BERT = {"vocab_size": 30522, "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
        "max_position_embeddings": 512, "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "pad_token_id": 0}
ROBERTA = {**BERT, "pad_token_id": 1}  # XLM-R's folders name vocab_size, type_vocab_size 1, layer_norm_eps 1e-5, 514 positions

# Where a folder names its transformer and says nothing of it, the weights say its sizes; this is what they do not say.
NAMED = {"xlm-roberta-base": {"model_type": "xlm-roberta", "num_attention_heads": 12, "layer_norm_eps": 1e-5},
         "xlm-roberta-large": {"model_type": "xlm-roberta", "num_attention_heads": 16, "layer_norm_eps": 1e-5},
         "sentence-transformers/LaBSE": {"model_type": "bert", "num_attention_heads": 12, "layer_norm_eps": 1e-12}}


def measured(prefix, shapes, name):
    """The keys of the transformer `name` whose tensors, called `prefix`..., have these shapes."""
    layers = {key[len(prefix):].split(".")[2] for key in shapes if key.startswith(prefix + "encoder.layer.")}
    rows = {key: shapes[f"{prefix}embeddings.{key}_embeddings.weight"] for key in ("word", "position", "token_type")}
    return {"vocab_size": rows["word"][0], "hidden_size": rows["word"][1], "max_position_embeddings": rows["position"][0],
            "type_vocab_size": rows["token_type"][0], "num_hidden_layers": len(layers),
            "intermediate_size": shapes[prefix + "encoder.layer.0.intermediate.dense.weight"][0], **NAMED[name]}


class Norm(nn.LayerNorm):
    """In Google's first BERT files weight and bias are gamma and beta."""

    def _load_from_state_dict(self, state, prefix, *rest):
        for old, new in (("gamma", "weight"), ("beta", "bias")):
            if prefix + old in state:
                state[prefix + new] = state.pop(prefix + old)
        super()._load_from_state_dict(state, prefix, *rest)


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.first = config["pad_token_id"] + 1 if "roberta" in config["model_type"] else 0
        self.word_embeddings = nn.Embedding(config["vocab_size"], width)
        self.position_embeddings = nn.Embedding(config["max_position_embeddings"], width)
        self.token_type_embeddings = nn.Embedding(config["type_vocab_size"], width)
        self.LayerNorm = Norm(width, eps=config["layer_norm_eps"])

    def forward(self, ids):
        positions = self.first + torch.arange(ids.shape[1])  # padding stands behind, and is masked
        return self.LayerNorm(self.word_embeddings(ids) + self.position_embeddings(positions) + self.token_type_embeddings.weight[0])


class Projections(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.heads = config["num_attention_heads"]
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, allowed):
        return attend(self.query(x), self.key(x), self.value(x), self.heads, allowed)


class Output(nn.Module):
    """A product, the residual, and the norm behind them."""

    def __init__(self, inputs, config):
        super().__init__()
        self.dense = nn.Linear(inputs, config["hidden_size"])
        self.LayerNorm = Norm(config["hidden_size"], eps=config["layer_norm_eps"])

    def forward(self, x, residual):
        return self.LayerNorm(residual + self.dense(x))


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self = Projections(config)
        self.output = Output(config["hidden_size"], config)

    def forward(self, x, allowed):
        return self.output(self.self(x, allowed), x)


class Intermediate(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config["hidden_size"], config["intermediate_size"])
        self.activation = ACTIVATIONS[config["hidden_act"]]

    def forward(self, x):
        return self.activation(self.dense(x))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = Output(config["intermediate_size"], config)

    def forward(self, x, allowed):
        x = self.attention(x, allowed)
        return self.output(self.intermediate(x), x)


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))

    def forward(self, x, allowed):
        for layer in self.layer:
            x = layer(x, allowed)
        return x


class States(nn.Module):
    IGNORED = ("embeddings.position_ids", "pooler.", "lm_head.", "cls.")

    def __init__(self, config):
        super().__init__()
        config = {**(ROBERTA if "roberta" in config["model_type"] else BERT), **config}
        self.embeddings = Embeddings(config)
        self.encoder = Encoder(config)

    def forward(self, ids, mask):
        return self.encoder(self.embeddings(ids), mask[:, None, None, :])


class Model(nn.Module):
    """A folder of such a model alone: the mean of its states, as sentence-transformers takes it where nothing says otherwise."""
    IGNORED = States.IGNORED
    PREFIXES = ("bert.", "roberta.")

    def __init__(self, config):
        super().__init__()
        self.states = States(config)

    def load(self, tensors):
        for prefix in self.PREFIXES:
            if any(name.startswith(prefix) for name in tensors):
                tensors = {name[len(prefix):] if name.startswith(prefix) else name: value for name, value in tensors.items()}
        return self.states.load_state_dict(tensors, strict=False)

    def text_vectors(self, ids, mask):
        return mean_over(self.states(ids, mask), mask)

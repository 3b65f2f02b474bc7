"""SigLIP (Zhai et al. 2023) and SigLIP 2 of fixed resolution (Tschannen et al. 2025) as Hugging Face lays them out."""
import torch
from torch import nn

from clip import Encoder, Mlp, TextEmbeddings

TEXT = {"vocab_size": 32000, "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
        "max_position_embeddings": 64, "hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6}
VISION = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "num_channels": 3,
          "image_size": 224, "patch_size": 16, "hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6}


class TextModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = TextEmbeddings(config)
        self.encoder = Encoder(config)
        self.final_layer_norm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])
        self.head = nn.Linear(config["hidden_size"], config.get("projection_size", config["hidden_size"]))

    def forward(self, ids):
        return self.head(self.final_layer_norm(self.encoder(self.embeddings(ids)))[:, -1])


class VisionEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, patch = config["hidden_size"], config["patch_size"]
        self.patch_embedding = nn.Conv2d(config["num_channels"], width, patch, stride=patch)
        self.position_embedding = nn.Embedding((config["image_size"] // patch) ** 2, width)

    def forward(self, pixels):
        return self.patch_embedding(pixels).flatten(2).transpose(1, 2) + self.position_embedding.weight


class PoolingHead(nn.Module):
    """One learnt query looks at all patches."""

    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.probe = nn.Parameter(torch.zeros(1, 1, width))
        self.attention = nn.MultiheadAttention(width, config["num_attention_heads"], batch_first=True)
        self.layernorm = nn.LayerNorm(width, eps=config["layer_norm_eps"])
        self.mlp = Mlp(config)

    def forward(self, x):
        x = self.attention(self.probe.expand(len(x), 1, -1), x, x, need_weights=False)[0]
        return (x + self.mlp(self.layernorm(x)))[:, 0]


class VisionModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = VisionEmbeddings(config)
        self.encoder = Encoder(config)
        self.post_layernorm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])
        self.head = PoolingHead(config)

    def forward(self, pixels):
        return self.head(self.post_layernorm(self.encoder(self.embeddings(pixels))))


class Model(nn.Module):
    IGNORED = ("text_model.embeddings.position_ids", "vision_model.embeddings.position_ids")

    def __init__(self, config):
        super().__init__()
        text = {**TEXT, **config.get("text_config", {})}
        self.positions = text["max_position_embeddings"]
        self.text_model = TextModel(text)
        self.vision_model = VisionModel({**VISION, **config.get("vision_config", {})})
        self.logit_scale = nn.Parameter(torch.zeros(1))
        self.logit_bias = nn.Parameter(torch.zeros(1))

    def text_vectors(self, ids, mask=None):
        """The padding is read like words: `ids` are as long as there are positions."""
        if ids.shape[1] != self.positions:
            raise ValueError(f"{ids.shape[1]} ids (expected {self.positions}, padded)")
        return self.text_model(ids)

    def picture_vectors(self, pixels):
        return self.vision_model(pixels)

"""open_clip's own layout: a ViT with a CLIP text tower, or with an XLM-R whose mean state two layers map (its XLM-R-base models)."""
from collections import OrderedDict

import torch
from torch import nn

import bert
from attention import causal, gelu, mean_over, quick_gelu


class Activation(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Block(nn.Module):
    def __init__(self, width, heads, inner, activation):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(OrderedDict(c_fc=nn.Linear(width, inner), gelu=Activation(activation), c_proj=nn.Linear(inner, width)))

    def forward(self, x, forbidden=None):
        y = self.ln_1(x)
        x = x + self.attn(y, y, y, need_weights=False, attn_mask=forbidden)[0]
        return x + self.mlp(self.ln_2(x))


class Transformer(nn.Module):
    def __init__(self, width, layers, heads, ratio, activation):
        super().__init__()
        self.resblocks = nn.ModuleList(Block(width, heads, int(width * ratio), activation) for _ in range(layers))

    def forward(self, x, forbidden=None):
        for block in self.resblocks:
            x = block(x, forbidden)
        return x


class Visual(nn.Module):
    def __init__(self, config, dimension, activation):
        super().__init__()
        width, patch = config["width"], config["patch_size"]
        self.class_embedding = nn.Parameter(torch.zeros(width))
        self.positional_embedding = nn.Parameter(torch.zeros((config["image_size"] // patch) ** 2 + 1, width))
        self.proj = nn.Parameter(torch.zeros(width, dimension))
        self.conv1 = nn.Conv2d(3, width, patch, stride=patch, bias=False)
        self.ln_pre, self.ln_post = nn.LayerNorm(width), nn.LayerNorm(width)
        self.transformer = Transformer(width, config["layers"], width // config.get("head_width", 64), config.get("mlp_ratio", 4.0),
                                       activation)

    def forward(self, pixels):
        patches = self.conv1(pixels).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_embedding.expand(len(pixels), 1, -1), patches], dim=1) + self.positional_embedding
        return self.ln_post(self.transformer(self.ln_pre(x))[:, 0]) @ self.proj


class Multilingual(nn.Module):
    """`text.`: hf_model_name names the transformer."""

    def __init__(self, config, dimension, shapes):
        super().__init__()
        if (config.get("hf_proj_type", config.get("proj")), config.get("hf_pooler_type", config.get("pooler_type"))) != ("mlp", "mean_pooler"):
            raise ValueError(f"{config}")
        transformer = bert.measured("text.transformer.", shapes, config["hf_model_name"])
        width = transformer["hidden_size"]
        middle = (width + dimension) // 2
        self.transformer = bert.States(transformer)
        self.proj = nn.Sequential(nn.Linear(width, middle, bias=False), Activation(gelu), nn.Linear(middle, dimension, bias=False))

    def forward(self, ids, mask):
        return self.proj(mean_over(self.transformer(ids, mask), mask))


class Model(nn.Module):
    IGNORED = ("attn_mask", "text.transformer.embeddings.position_ids")

    def __init__(self, config, shapes):
        super().__init__()
        config = config["model_cfg"]
        text, dimension = config["text_cfg"], config["embed_dim"]
        activation = quick_gelu if config.get("quick_gelu") else gelu
        self.visual = Visual(config["vision_cfg"], dimension, activation)
        self.logit_scale = nn.Parameter(torch.tensor(2.6592))
        if "hf_model_name" in text:
            self.text = Multilingual(text, dimension, shapes)
            return
        width = text["width"]
        self.positional_embedding = nn.Parameter(torch.zeros(text["context_length"], width))
        self.text_projection = nn.Parameter(torch.zeros(width, dimension))
        self.transformer = Transformer(width, text["layers"], text["heads"], text.get("mlp_ratio", 4.0), activation)
        self.token_embedding = nn.Embedding(text["vocab_size"], width)
        self.ln_final = nn.LayerNorm(width)

    def text_vectors(self, ids, mask=None):
        if hasattr(self, "text"):
            return self.text(ids, mask)
        times = ids.shape[1]
        x = self.transformer(self.token_embedding(ids) + self.positional_embedding[:times], ~causal(times))
        return self.ln_final(x)[torch.arange(len(ids)), ids.argmax(1)] @ self.text_projection

    def picture_vectors(self, pixels):
        return self.visual(pixels)

"""DINOv2 (Oquab et al. 2023), without and with registers (Darcet et al. 2023), as Hugging Face lays it out. Pictures alone."""
import math

import torch
from torch import nn

from attention import ACTIVATIONS, attend

DEFAULTS = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "mlp_ratio": 4, "hidden_act": "gelu",
            "layer_norm_eps": 1e-6, "image_size": 224, "patch_size": 14, "num_channels": 3, "qkv_bias": True, "use_swiglu_ffn": False}


class PatchEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        patch = config["patch_size"]
        self.projection = nn.Conv2d(config["num_channels"], config["hidden_size"], patch, stride=patch)


class Embeddings(nn.Module):
    def __init__(self, config, registers):
        super().__init__()
        width = config["hidden_size"]
        self.grid = config["image_size"] // config["patch_size"]
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.mask_token = nn.Parameter(torch.zeros(1, width))
        if registers:
            self.register_tokens = nn.Parameter(torch.zeros(1, registers, width))
        self.patch_embeddings = PatchEmbeddings(config)
        self.position_embeddings = nn.Parameter(torch.zeros(1, self.grid ** 2 + 1, width))

    def positions(self, height, width):
        """Trained for one grid of patches; for another they are interpolated."""
        first, grid = self.position_embeddings[:, :1], self.position_embeddings[:, 1:]
        if (height, width) == (self.grid, self.grid):
            return first, grid
        grid = grid.reshape(1, self.grid, self.grid, -1).permute(0, 3, 1, 2)
        grid = nn.functional.interpolate(grid, size=(height, width), mode="bicubic", align_corners=False,
                                         antialias=hasattr(self, "register_tokens"))
        return first, grid.flatten(2).transpose(1, 2)

    def forward(self, pixels):
        patches = self.patch_embeddings.projection(pixels)
        first, grid = self.positions(*patches.shape[2:])
        parts = [self.cls_token + first, patches.flatten(2).transpose(1, 2) + grid]
        if hasattr(self, "register_tokens"):  # they have no positions
            parts.insert(1, self.register_tokens)
        return torch.cat([part.expand(len(pixels), -1, -1) for part in parts], dim=1)


class Projections(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.heads = config["num_attention_heads"]
        self.query, self.key, self.value = (nn.Linear(width, width, bias=config["qkv_bias"]) for _ in range(3))


class Output(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config["hidden_size"], config["hidden_size"])


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Projections(config)
        self.output = Output(config)

    def forward(self, x):
        p = self.attention
        return self.output.dense(attend(p.query(x), p.key(x), p.value(x), p.heads))


class LayerScale(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.lambda1 = nn.Parameter(torch.ones(config["hidden_size"]))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, inner = config["hidden_size"], int(config["hidden_size"] * config["mlp_ratio"])
        self.activation = ACTIVATIONS[config["hidden_act"]]
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class SwiGlu(nn.Module):
    """Of the giant model."""

    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        inner = math.ceil(int(int(width * config["mlp_ratio"]) * 2 / 3) / 8) * 8
        self.weights_in, self.weights_out = nn.Linear(width, 2 * inner), nn.Linear(inner, width)

    def forward(self, x):
        gate, value = self.weights_in(x).chunk(2, dim=-1)
        return self.weights_out(gate * torch.sigmoid(gate) * value)


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, epsilon = config["hidden_size"], config["layer_norm_eps"]
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=epsilon), nn.LayerNorm(width, eps=epsilon)
        self.attention = Attention(config)
        self.mlp = (SwiGlu if config["use_swiglu_ffn"] else Mlp)(config)
        self.layer_scale1, self.layer_scale2 = LayerScale(config), LayerScale(config)

    def forward(self, x):
        x = x + self.layer_scale1.lambda1 * self.attention(self.norm1(x))
        return x + self.layer_scale2.lambda1 * self.mlp(self.norm2(x))


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))


class Model(nn.Module):
    IGNORED = ()

    def __init__(self, config):
        super().__init__()
        registers = config.get("num_register_tokens", 4) if config["model_type"] == "dinov2_with_registers" else 0
        config = {**DEFAULTS, **config}
        self.embeddings = Embeddings(config, registers)
        self.encoder = Encoder(config)
        self.layernorm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])

    def picture_vectors(self, pixels):
        x = self.embeddings(pixels)
        for layer in self.encoder.layer:
            x = layer(x)
        return self.layernorm(x)[:, 0]

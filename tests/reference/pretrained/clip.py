"""CLIP (Radford et al. 2021) as Hugging Face lays it out: parameters have the published names, config.json the published keys."""
import torch
from torch import nn

from attention import ACTIVATIONS, attend, causal

TEXT = {"vocab_size": 49408, "hidden_size": 512, "intermediate_size": 2048, "num_hidden_layers": 12, "num_attention_heads": 8,
        "max_position_embeddings": 77, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5, "eos_token_id": 49407}
VISION = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "num_channels": 3,
          "image_size": 224, "patch_size": 32, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5}


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.heads = config["num_attention_heads"]
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, allowed):
        return self.out_proj(attend(self.q_proj(x), self.k_proj(x), self.v_proj(x), self.heads, allowed))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.activation = ACTIVATIONS[config["hidden_act"]]
        self.fc1 = nn.Linear(config["hidden_size"], config["intermediate_size"])
        self.fc2 = nn.Linear(config["intermediate_size"], config["hidden_size"])

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer_norm1 = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])
        self.self_attn = Attention(config)
        self.layer_norm2 = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])
        self.mlp = Mlp(config)

    def forward(self, x, allowed=None):
        x = x + self.self_attn(self.layer_norm1(x), allowed)
        return x + self.mlp(self.layer_norm2(x))


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))

    def forward(self, x, allowed=None):
        for layer in self.layers:
            x = layer(x, allowed)
        return x


class TextEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.position_embedding = nn.Embedding(config["max_position_embeddings"], config["hidden_size"])

    def forward(self, ids):
        return self.token_embedding(ids) + self.position_embedding(torch.arange(ids.shape[1]))


class TextModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.end = config["eos_token_id"]
        self.embeddings = TextEmbeddings(config)
        self.encoder = Encoder(config)
        self.final_layer_norm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])

    def forward(self, ids):
        x = self.final_layer_norm(self.encoder(self.embeddings(ids), causal(ids.shape[1])))
        # Configs of before July 2023 say 2, which is no end token: the end token is the highest id then.
        at = ids.argmax(1) if self.end == 2 else (ids == self.end).int().argmax(1)
        return x[torch.arange(len(ids)), at]


class VisionEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, patch = config["hidden_size"], config["patch_size"]
        self.class_embedding = nn.Parameter(torch.zeros(width))
        self.patch_embedding = nn.Conv2d(config["num_channels"], width, patch, stride=patch, bias=False)
        self.position_embedding = nn.Embedding((config["image_size"] // patch) ** 2 + 1, width)

    def forward(self, pixels):
        patches = self.patch_embedding(pixels).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_embedding.expand(len(pixels), 1, -1), patches], dim=1)
        return x + self.position_embedding.weight


class VisionModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = VisionEmbeddings(config)
        self.pre_layrnorm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])  # the published spelling
        self.encoder = Encoder(config)
        self.post_layernorm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])

    def forward(self, pixels):
        return self.post_layernorm(self.encoder(self.pre_layrnorm(self.embeddings(pixels)))[:, 0])


class Model(nn.Module):
    # Older files have these buffers, newer ones have not.
    IGNORED = ("text_model.embeddings.position_ids", "vision_model.embeddings.position_ids")

    def __init__(self, config):
        super().__init__()
        text, vision = ({**defaults, **(config.get(key) or {}), **(config.get(key + "_dict") or {})}
                        for defaults, key in ((TEXT, "text_config"), (VISION, "vision_config")))
        shared = config.get("projection_dim", 512)
        self.text_model = TextModel(text)
        self.vision_model = VisionModel(vision)
        self.text_projection = nn.Linear(text["hidden_size"], shared, bias=False)
        self.visual_projection = nn.Linear(vision["hidden_size"], shared, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(2.6592))

    def text_vectors(self, ids, mask=None):  # what follows the end token cannot reach it, so a mask changes nothing
        return self.text_projection(self.text_model(ids))

    def picture_vectors(self, pixels):
        return self.visual_projection(self.vision_model(pixels))

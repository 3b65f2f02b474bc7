"""The references against each other and against PyTorch's own layers: the same weights under other names, the same vectors.

    python3 tests/reference/pretrained/agree.py
"""
import sys

import torch
from torch import nn

sys.dont_write_bytecode = True
import bert  # noqa: E402
import clip  # noqa: E402
import distilbert  # noqa: E402
import dinov2  # noqa: E402
import open_clip  # noqa: E402

SIZES = {"hidden_size": 24, "intermediate_size": 96, "num_attention_heads": 3, "num_hidden_layers": 2, "layer_norm_eps": 1e-5}


def filled(model):
    for tensor in model.parameters():
        tensor.data.normal_(0, 0.4)
    return model.double().eval()


def renamed(model, tensors):
    model.double().eval().load_state_dict(tensors)
    return model


def say(what, one, other):
    difference = (one - other).abs().max().item()
    print(f"{what}: {difference:.1e} of {one.abs().max().item():.1f}")
    return difference > 1e-12


def fused(state, prefix, names, kind):
    return torch.cat([state[f"{prefix}{name}.{kind}"] for name in names])


def blocks(state, old, new, names):
    """The layers of Hugging Face's CLIP under open_clip's names."""
    out = {}
    for i in range(SIZES["num_hidden_layers"]):
        there, here = f"{old}encoder.layers.{i}.", f"{new}transformer.resblocks.{i}."
        for kind in ("weight", "bias"):
            out[f"{here}attn.in_proj_{kind}"] = fused(state, there + "self_attn.", ("q_proj", "k_proj", "v_proj"), kind)
            for one, other in names.items():
                out[f"{here}{other}.{kind}"] = state[f"{there}{one}.{kind}"]
    return out


def as_open_clip(state):
    names = {"self_attn.out_proj": "attn.out_proj", "layer_norm1": "ln_1", "layer_norm2": "ln_2", "mlp.fc1": "mlp.c_fc", "mlp.fc2": "mlp.c_proj"}
    out = {**blocks(state, "text_model.", "", names), **blocks(state, "vision_model.", "visual.", names)}
    out.update({"token_embedding.weight": state["text_model.embeddings.token_embedding.weight"],
                "positional_embedding": state["text_model.embeddings.position_embedding.weight"],
                "text_projection": state["text_projection.weight"].T, "logit_scale": state["logit_scale"],
                "visual.proj": state["visual_projection.weight"].T,
                "visual.class_embedding": state["vision_model.embeddings.class_embedding"],
                "visual.positional_embedding": state["vision_model.embeddings.position_embedding.weight"],
                "visual.conv1.weight": state["vision_model.embeddings.patch_embedding.weight"]})
    for one, other in (("text_model.final_layer_norm", "ln_final"), ("vision_model.pre_layrnorm", "visual.ln_pre"),
                       ("vision_model.post_layernorm", "visual.ln_post")):
        out.update({f"{other}.{kind}": state[f"{one}.{kind}"] for kind in ("weight", "bias")})
    return out


def clip_in_two_layouts():
    one = filled(clip.Model({"projection_dim": 10,
                             "text_config": {**SIZES, "vocab_size": 50, "max_position_embeddings": 9, "eos_token_id": 2},
                             "vision_config": {**SIZES, "image_size": 12, "patch_size": 4}}))
    config = {"embed_dim": 10, "quick_gelu": True, "vision_cfg": {"image_size": 12, "layers": 2, "width": 24, "head_width": 8, "patch_size": 4},
              "text_cfg": {"context_length": 9, "vocab_size": 50, "width": 24, "heads": 3, "layers": 2}}
    other = renamed(open_clip.Model({"model_cfg": config}, None), as_open_clip(one.state_dict()))
    ids, pixels = torch.randint(0, 49, (4, 9)), torch.randn(4, 3, 12, 12).double()
    ids[:, 5] = 49
    return say("CLIP's text in open_clip's layout", one.text_vectors(ids), other.text_vectors(ids)) \
        + say("CLIP's pictures in open_clip's layout", one.picture_vectors(pixels), other.picture_vectors(pixels))


def bert_and_distilbert():
    config = {**SIZES, "vocab_size": 50, "max_position_embeddings": 9, "model_type": "bert", "layer_norm_eps": 1e-12}
    one = filled(bert.States(config))
    one.embeddings.token_type_embeddings.weight.data.zero_()
    state = one.state_dict()
    names = {"attention.self.query": "attention.q_lin", "attention.self.key": "attention.k_lin", "attention.self.value": "attention.v_lin",
             "attention.output.dense": "attention.out_lin", "attention.output.LayerNorm": "sa_layer_norm", "intermediate.dense": "ffn.lin1",
             "output.dense": "ffn.lin2", "output.LayerNorm": "output_layer_norm"}
    tensors = {name: tensor for name, tensor in state.items() if name.startswith("embeddings.") and "token_type" not in name}
    for i in range(2):
        tensors.update({f"transformer.layer.{i}.{new}.{kind}": state[f"encoder.layer.{i}.{old}.{kind}"]
                        for old, new in names.items() for kind in ("weight", "bias")})
    other = renamed(distilbert.States({"vocab_size": 50, "max_position_embeddings": 9, "dim": 24, "hidden_dim": 96, "n_heads": 3,
                                       "n_layers": 2}), tensors)
    ids, mask = torch.randint(0, 50, (3, 9)), torch.arange(9)[None] < torch.tensor([[9], [4], [1]])
    return say("BERT as DistilBERT", one(ids, mask), other(ids, mask))


def torch_layer(state, prefix, names, parts, norm_first):
    layer = nn.TransformerEncoderLayer(24, 3, 96, 0, "gelu", norm_first=norm_first, batch_first=True)
    tensors = {f"self_attn.in_proj_{kind}": fused(state, prefix, parts, kind) for kind in ("weight", "bias")}
    tensors.update({f"{new}.{kind}": state[f"{prefix}{old}.{kind}"] for old, new in names.items() for kind in ("weight", "bias")})
    return renamed(layer, tensors)


def against_torch():
    x = torch.randn(3, 7, 24).double()
    mask = torch.arange(7)[None] < torch.tensor([[7], [4], [1]])
    behind = filled(bert.Layer({**bert.BERT, **SIZES, "model_type": "bert"}))
    parts = tuple("attention.self." + name for name in ("query", "key", "value"))
    names = {"attention.output.dense": "self_attn.out_proj", "attention.output.LayerNorm": "norm1", "intermediate.dense": "linear1",
             "output.dense": "linear2", "output.LayerNorm": "norm2"}
    layer = torch_layer(behind.state_dict(), "", names, parts, norm_first=False)
    wrong = say("BERT's layer and PyTorch's", behind(x, mask[:, None, None, :])[mask], layer(x, src_key_padding_mask=~mask)[mask])
    before = filled(dinov2.Layer({**dinov2.DEFAULTS, **SIZES}))
    before.layer_scale1.lambda1.data.fill_(1)
    before.layer_scale2.lambda1.data.fill_(1)
    parts = tuple("attention.attention." + name for name in ("query", "key", "value"))
    names = {"attention.output.dense": "self_attn.out_proj", "norm1": "norm1", "mlp.fc1": "linear1", "mlp.fc2": "linear2", "norm2": "norm2"}
    layer = torch_layer(before.state_dict(), "", names, parts, norm_first=True)
    return wrong + say("DINOv2's layer and PyTorch's", before(x), layer(x))


if __name__ == "__main__":
    torch.manual_seed(5)
    with torch.no_grad():
        sys.exit(1 if clip_in_two_layouts() + bert_and_distilbert() + against_torch() else 0)

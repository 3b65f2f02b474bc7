"""A pretrained model's folder, opened with the reference of its family; double precision throughout.

    model = folder.open_model(path)
    model.text_vectors(ids, mask)     ids [batch, time], mask [batch, time] true where no padding; vectors [batch, dimension]
    model.picture_vectors(pixels)     [batch, 3, height, width], prepared
"""
import json
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bert  # noqa: E402
import clip  # noqa: E402
import dinov2  # noqa: E402
import m_clip  # noqa: E402
import open_clip  # noqa: E402
import sentence_transformers  # noqa: E402
import siglip  # noqa: E402
from weights import read_weights  # noqa: E402

BY_TYPE = {"clip": clip.Model, "siglip": siglip.Model, "dinov2": dinov2.Model, "dinov2_with_registers": dinov2.Model,
           "bert": bert.Model, "xlm-roberta": bert.Model}


def make_model(folder, shapes):
    """The module that this folder's configuration describes; `shapes` are its tensors', where it leaves sizes to them."""
    if (folder / "modules.json").exists():
        return sentence_transformers.Model(folder)
    whole = folder / "open_clip_config.json"
    if whole.exists():
        return open_clip.Model(json.loads(whole.read_text()), shapes)
    config = json.loads((folder / "config.json").read_text())
    if config["model_type"] == "M-CLIP":
        return m_clip.Model(config, shapes)
    return BY_TYPE[config["model_type"]](config)


def open_model(folder):
    folder = pathlib.Path(folder)
    at = folder
    if (folder / "modules.json").exists():
        first = min(json.loads((folder / "modules.json").read_text()), key=lambda module: module["idx"])
        at = folder / first["path"]
    tensors = read_weights(at)
    model = make_model(folder, {name: tuple(tensor.shape) for name, tensor in tensors.items()})
    load = getattr(model, "load", lambda values: model.load_state_dict(values, strict=False))
    missing, unexpected = load(tensors)
    unexpected = [name for name in unexpected if not name.startswith(model.IGNORED or "?")]
    if missing or unexpected:
        raise ValueError(f"{folder}: missing {missing}, unexpected {unexpected}")
    return model.double().eval()


def unit(vectors):
    return vectors / torch.linalg.norm(vectors, dim=-1, keepdim=True)

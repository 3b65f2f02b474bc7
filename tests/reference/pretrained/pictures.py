"""How each family prepares a picture, with Pillow: float32 [3, height, width].

Sizes and crops are those of the program that the file belongs to: preprocessor_config.json is transformers' (its Pillow processors),
open_clip_config.json is open_clip's (torchvision). They cut the middle of an odd margin on different sides.
"""
import json

import numpy
from PIL import Image

CLIP_MEAN, CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
FILTERS = {"bicubic": Image.BICUBIC, "bilinear": Image.BILINEAR}


def resized(picture, shorter, how):
    """The shorter side becomes `shorter`; what the longer one has behind the point is dropped."""
    width, height = picture.size
    if width <= height:
        size = shorter, int(shorter * height / width)
    else:
        size = int(shorter * width / height), shorter
    return picture.resize(size, how)


def cropped(picture, width, height, left, top):
    return picture.crop((left, top, left + width, top + height))


def normalised(picture, mean, std, scale=1 / 255):
    values = numpy.asarray(picture, numpy.float64) * scale
    return ((values - mean) / std).transpose(2, 0, 1).astype(numpy.float32)


def by_transformers(picture, config):
    size = config["size"]
    if config.get("do_resize", True):
        if isinstance(size, int) or "shortest_edge" in size:
            picture = resized(picture, size if isinstance(size, int) else size["shortest_edge"], config["resample"])
        else:
            picture = picture.resize((size["width"], size["height"]), config["resample"])
    if config.get("do_center_crop", False):
        crop = config["crop_size"]
        height, width = (crop, crop) if isinstance(crop, int) else (crop["height"], crop["width"])
        picture = cropped(picture, width, height, (picture.width - width) // 2, (picture.height - height) // 2)
    return normalised(picture, config["image_mean"], config["image_std"], config.get("rescale_factor", 1 / 255))


def by_open_clip(picture, config, side):
    how = FILTERS[config.get("interpolation", "bicubic")]
    if config.get("resize_mode", "shortest") == "squash":
        picture = picture.resize((side, side), how)
    else:
        picture = resized(picture, side, how)
        picture = cropped(picture, side, side, round((picture.width - side) / 2), round((picture.height - side) / 2))
    return normalised(picture, config.get("mean", CLIP_MEAN), config.get("std", CLIP_STD))


def prepared(folder, path):
    picture = Image.open(path).convert("RGB")
    whole = folder / "open_clip_config.json"
    if whole.exists():
        config = json.loads(whole.read_text())
        return by_open_clip(picture, config["preprocess_cfg"], config["model_cfg"]["vision_cfg"]["image_size"])
    return by_transformers(picture, json.loads((folder / "preprocessor_config.json").read_text()))

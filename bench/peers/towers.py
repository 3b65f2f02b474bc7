#!/usr/bin/python3
"""PyTorch's side of bench/pretrained: the reference's towers in float32, in eval mode.

    towers.py FOLDER [--pictures N] [--tokens N] [--threads N] [--onnx OUT]      --onnx: also writes OUT/vision.onnx and OUT/text.onnx
"""
import argparse
import json
import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "reference" / "pretrained"))
sys.dont_write_bytecode = True
import folder as reference  # noqa: E402


class Pictures(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixels):
        return self.model.picture_vectors(pixels)


class Sentences(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids):
        return self.model.text_vectors(ids, torch.ones_like(ids, dtype=torch.bool))


def quickest(runs, work):
    best = 1e9
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--pictures", type=int, default=32)
parser.add_argument("--tokens", type=int, default=10)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--onnx", type=pathlib.Path)
given = parser.parse_args()
torch.set_num_threads(given.threads)
model = reference.open_model(given.folder).float().eval()
expected = json.loads((given.folder / "expected.json").read_text())
ids = torch.tensor([expected["text"]["cases"][0]["ids"]])
length = expected["text"]["positions"] if expected["text"]["padded"] else given.tokens
ids = torch.cat([ids[:, :1], ids[:, 1:2].repeat(1, max(length - 2, 0)), ids[:, -1:]], dim=1)
config = json.loads((given.folder / "config.json").read_text())
side = config["vision_config"]["image_size"]
pixels = torch.randn(given.pictures, 3, side, side, generator=torch.Generator().manual_seed(1))
with torch.no_grad():
    result = {"threads": given.threads}
    model.picture_vectors(pixels[:1])
    result["pictures_a_second"] = round(given.pictures / quickest(3, lambda: model.picture_vectors(pixels)), 2)
    sentences = Sentences(model)
    sentences(ids)
    result["sentence_ms"] = round(1000 * quickest(20, lambda: sentences(ids)), 3)
    if given.onnx:
        given.onnx.mkdir(parents=True, exist_ok=True)
        torch.onnx.export(Pictures(model), (pixels,), str(given.onnx / "vision.onnx"), input_names=["pixels"],
                          output_names=["vectors"], opset_version=14)  # of this many pictures: that is in the graph
        torch.onnx.export(sentences, (ids,), str(given.onnx / "text.onnx"), input_names=["ids"], output_names=["vectors"],
                          opset_version=14)
print(json.dumps(result))

"""safetensors files, whole or sharded, read and written with NumPy."""
import json
import struct

import torch

KINDS = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64}
NAMES = {kind: name for name, kind in KINDS.items()}


def read_file(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = KINDS[entry["dtype"]]
        tensor = torch.frombuffer(data, dtype=torch.uint8)[begin:end].clone().view(kind)
        tensors[name] = tensor.reshape(entry["shape"])
    return tensors


def read_weights(folder):
    """The tensors of a folder's model.safetensors, of its shards, or of open_clip's file."""
    index = folder / "model.safetensors.index.json"
    if index.exists():
        tensors = {}
        for name in sorted(set(json.loads(index.read_text())["weight_map"].values())):
            tensors.update(read_file(folder / name))
        return tensors
    whole = folder / "model.safetensors"
    return read_file(whole if whole.exists() else folder / "open_clip_model.safetensors")


def write_file(path, tensors):
    header, begin = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        end = begin + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.dim() else
                       tensor.reshape(1).view(torch.uint8).numpy().tobytes())


def write_sharded(folder, tensors, shards):
    """model-00001-of-0000N.safetensors and the index that says which tensor is where."""
    names = sorted(tensors)
    files = [f"model-{i + 1:05}-of-{shards:05}.safetensors" for i in range(shards)]
    where = {name: files[i * shards // len(names)] for i, name in enumerate(names)}
    for file in files:
        write_file(folder / file, {name: tensors[name] for name in names if where[name] == file})
    size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")

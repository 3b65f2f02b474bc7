"""The ids of an index's images, as docs/formats/index.md says."""
import json
import pathlib
import struct


def ids_of(index):
    """index: its folder"""
    index = pathlib.Path(index)
    contents = json.loads((index / "index.json").read_text("utf-8"))
    if "images" in contents:  # as earlier versions wrote it
        return contents["images"]
    table = (index / "names.safetensors").read_bytes()
    header, = struct.unpack_from("<Q", table)
    tensors = json.loads(table[8:8 + header])

    def data(name):
        begin, end = tensors[name]["data_offsets"]
        return table[8 + header + begin:8 + header + end]

    names, ids, begin = data("images"), [], 0
    for end, in struct.iter_unpack("<q", data("images.ends")):
        ids.append(names[begin:end].decode())
        begin = end
    return ids

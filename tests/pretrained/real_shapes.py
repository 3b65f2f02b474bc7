"""Folders of published models' shapes: their tokenizers have as many pieces, which are made up."""
import gzip
import random

import families
import tiny_tokenizers as tokenizers

TEXT = {"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12, "num_hidden_layers": 12}
VISION = {**TEXT, "image_size": 224}


def grown(pieces, size, marks=("<", "[", "##")):
    """Pairs of pieces, joined, until there are `size`; returns those pairs. Many are a word of no language, as in large vocabularies."""
    chance = random.Random(1)
    ends = [piece for piece in pieces if not piece.startswith((*marks, "▁"))]
    parts = [piece for piece in pieces if not piece.startswith(marks) and not piece.endswith("</w>")]
    known, pairs = set(pieces), []
    while len(known) < size:
        pair = chance.choice(parts), chance.choice(ends)
        piece = "".join(pair)
        if piece not in known:
            known.add(piece)
            pairs.append(pair)
            if len(piece) < 8 and not piece.endswith("</w>"):
                parts.append(piece)
    return pairs


def clip_merges(path):
    """CLIP's own, of bpe_simple_vocab_16e6.txt.gz or merges.txt; without, made up."""
    count = 49408 - 512 - 2
    if path:
        text = (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8").read()
        return [tuple(line.split()) for line in text.split("\n")[1:count + 1]]
    tiny = tokenizers.ClipBpe(77)
    pieces = list(tiny.vocabulary)[:-2]
    return list(tiny.ranks) + grown(pieces, 512 + count)


def clip_vit_base_patch32(merges):
    family = families.clip(buffers={}, positions=77, most=77, sentences=None, side=224)
    family["tokenizer"] = tokenizers.ClipBpe(77, clip_merges(merges))
    config = family["config.json"]
    config["projection_dim"] = 512
    config["text_config"].update({**TEXT, "hidden_size": 512, "intermediate_size": 2048, "num_attention_heads": 8}, vocab_size=49408,
                                 max_position_embeddings=77, projection_dim=512)
    config["vision_config"].update(VISION, patch_size=32, projection_dim=512)
    family["preprocessor_config.json"].update(crop_size={"height": 224, "width": 224}, size={"shortest_edge": 224})
    return family


def siglip(family, tokenizer):
    config = family["config.json"]
    config["text_config"].update(TEXT, max_position_embeddings=64, vocab_size=tokenizer.size)
    config["text_config"].pop("projection_size", None)
    config["vision_config"].update(VISION, patch_size=16)
    family["preprocessor_config.json"]["size"] = {"height": 224, "width": 224}
    return {**family, "tokenizer": tokenizer, "positions": 64, "most": 64, "side": 224}


def siglip2_base_patch16_224(merges):
    pieces = list(tokenizers.GemmaBpe(64).files["tokenizer.json"]["model"]["vocab"])
    tokenizer = tokenizers.GemmaBpe(64, pieces + ["".join(pair) for pair in grown(pieces, 256000)])
    del tokenizer.files["tokenizer.model"]  # of the tiny one
    return siglip(families.siglip2(), tokenizer)


def multilingual(tokenizer, size):
    """The tokenizer with made-up pieces behind its own, XLM-R's so unlikely that none is chosen; its mask stays the last."""
    model = tokenizer.files["tokenizer.json"]["model"]
    if model["type"] == "WordPiece":
        pairs = grown(list(model["vocab"]), size)
        model["vocab"].update({"".join(pair): len(model["vocab"]) + i for i, pair in enumerate(pairs)})
        tokenizer.files["vocab.txt"] = "".join(piece + "\n" for piece in model["vocab"])
    else:
        mask = model["vocab"].pop()
        pairs = grown([piece for piece, _ in model["vocab"]] + [mask[0]], size)
        model["vocab"] += [("".join(pair), round(-200 - i / size, 6)) for i, pair in enumerate(pairs)] + [mask]
        tokenizer.files["tokenizer.json"]["added_tokens"][-1]["id"] = size - 1
        del tokenizer.files["sentencepiece.bpe.model"]  # of the tiny one
    tokenizer.size = size
    return tokenizer


def shapes(prefix, layers, width):
    out = {"embeddings.word_embeddings.weight": (250002, width), "embeddings.position_embeddings.weight": (514, width),
           "embeddings.token_type_embeddings.weight": (1, width)}
    out.update({f"encoder.layer.{i}.intermediate.dense.weight": (4 * width, width) for i in range(layers)})
    return {prefix + name: shape for name, shape in out.items()}


def open_clip_xlm_r_base_vit_b_32(merges):
    family = families.open_clip_xlm_r()
    config = family["open_clip_config.json"]["model_cfg"]
    config.update(embed_dim=512, vision_cfg={"image_size": 224, "layers": 12, "width": 768, "patch_size": 32})
    return {**family, "tokenizer": multilingual(tokenizers.XlmRUnigram(77), 250002), "shapes": shapes("text.transformer.", 12, 768),
            "positions": 514, "most": 77, "side": 224}


def m_clip_xlm_r_large_vit_b_32(merges):
    family = families.m_clip()
    family["config.json"].update(numDims=512, transformerDimensions=1024)
    return {**family, "tokenizer": multilingual(tokenizers.XlmRUnigram(512), 250002), "shapes": shapes("transformer.", 24, 1024),
            "positions": 514, "most": 77, "buffers": {}}


def clip_vit_b_32_multilingual_v1(merges):
    family = families.st_distilbert()
    tokenizer = multilingual(tokenizers.WordPiece(512, False, "DistilBertTokenizer"), 119547)
    family["config.json"].update(dim=768, hidden_dim=3072, n_heads=12, n_layers=6, max_position_embeddings=512, vocab_size=119547)
    family["2_Dense/config.json"].update(in_features=768, out_features=512)
    family["1_Pooling/config.json"].update(word_embedding_dimension=768)
    family["sentence_bert_config.json"].update(max_seq_length=128)
    return {**family, "tokenizer": tokenizer, "positions": 512, "most": 128}


def dinov2_base(merges):
    family = families.dinov2(image=518, **{**TEXT, "intermediate_size": None}, patch_size=14)
    del family["config.json"]["intermediate_size"]
    family["config.json"]["mlp_ratio"] = 4
    family["preprocessor_config.json"].update(crop_size={"height": 224, "width": 224}, size={"shortest_edge": 256})
    return {**family, "side": 224}


REAL = {"clip-vit-base-patch32": clip_vit_base_patch32, "siglip2-base-patch16-224": siglip2_base_patch16_224,
        "xlm-roberta-base-ViT-B-32": open_clip_xlm_r_base_vit_b_32, "XLM-Roberta-Large-Vit-B-32": m_clip_xlm_r_large_vit_b_32,
        "clip-ViT-B-32-multilingual-v1": clip_vit_b_32_multilingual_v1, "dinov2-base": dinov2_base}

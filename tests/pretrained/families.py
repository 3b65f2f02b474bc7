"""The tiny folder of each family: its configuration as published, with small sizes; its tokenizer; its weights.

Many are stored as float16, so that all of them take little more than a megabyte; the values are what is stored.
"""
import json
import math

import torch
from torch import nn

import folder as reference
import tiny_tokenizers as tokenizers
import weights

POSITIONS = 16
TEXT = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2}
VISION = {"hidden_size": 16, "intermediate_size": 40, "num_attention_heads": 2, "num_hidden_layers": 2, "image_size": 16, "patch_size": 4}
SHARED = 20
CLIP_MEAN, CLIP_STD = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
SCALE = 0.00392156862745098


def clip_preprocessor(sizes_as_numbers):
    if sizes_as_numbers:  # as of 2021
        return {"crop_size": 16, "do_center_crop": True, "do_normalize": True, "do_resize": True,
                "feature_extractor_type": "CLIPFeatureExtractor", "image_mean": CLIP_MEAN, "image_std": CLIP_STD, "resample": 3, "size": 16}
    return {"crop_size": {"height": 16, "width": 16}, "do_center_crop": True, "do_convert_rgb": True, "do_normalize": True,
            "do_rescale": True, "do_resize": True, "image_mean": CLIP_MEAN, "image_processor_type": "CLIPImageProcessor",
            "image_std": CLIP_STD, "resample": 3, "rescale_factor": SCALE, "size": {"shortest_edge": 16}}


def siglip_preprocessor(resample):
    return {"do_convert_rgb": None, "do_normalize": True, "do_rescale": True, "do_resize": True, "image_mean": [0.5, 0.5, 0.5],
            "image_processor_type": "SiglipImageProcessor", "image_std": [0.5, 0.5, 0.5], "processor_class": "SiglipProcessor",
            "resample": resample, "rescale_factor": SCALE, "size": {"height": 16, "width": 16}}


def clip(**variant):
    """As OpenAI's: every key said, the end mark wrongly; buffers among the weights."""
    tokenizer = tokenizers.ClipBpe(POSITIONS)
    config = {"architectures": ["CLIPModel"], "initializer_factor": 1.0, "logit_scale_init_value": 2.6592, "model_type": "clip",
              "projection_dim": SHARED,
              "text_config": {**TEXT, "attention_dropout": 0.0, "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1,
                              "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5, "max_position_embeddings": POSITIONS,
                              "model_type": "clip_text_model", "projection_dim": SHARED, "vocab_size": tokenizer.size},
              "text_config_dict": None,
              "vision_config": {**VISION, "attention_dropout": 0.0, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
                                "model_type": "clip_vision_model", "num_channels": 3, "projection_dim": SHARED},
              "vision_config_dict": None, "torch_dtype": "float32"}
    buffers = {"text_model.embeddings.position_ids": torch.arange(POSITIONS)[None],
               "vision_model.embeddings.position_ids": torch.arange(17)[None]}
    return {"family": "clip", "config.json": config, "preprocessor_config.json": clip_preprocessor(False), "tokenizer": tokenizer,
            "positions": POSITIONS, "most": POSITIONS, "buffers": buffers, **variant}


def without(family, *files):
    for name in files:
        del family["tokenizer"].files[name]
    return family


def clip_gelu():
    """As LAION's and later ones: GELU, the end mark said; a token that was added behind the end mark has a higher id."""
    family = clip(buffers={}, seed=2, kind=torch.float16)
    tokenizer = family["tokenizer"] = tokenizers.ClipBpe(POSITIONS, behind=["<|extra|>"])
    begin, end = tokenizer.begin[0], tokenizer.end[0]
    extra = tokenizer.vocabulary["<|extra|>"]
    family["config.json"]["text_config"].update(bos_token_id=begin, eos_token_id=end, pad_token_id=end, hidden_act="gelu",
                                                vocab_size=tokenizer.size)
    family["config.json"]["vision_config"].update(hidden_act="gelu")
    family["preprocessor_config.json"] = clip_preprocessor(True)
    return {**family, "ids": [[begin, 320, extra, 331, end], [begin, end, extra, 500]]}


def clip_defaults():
    """What a key is that is not there: activation, epsilon, heads (8 and 12), positions (77), dimension (512)."""
    family = clip(buffers={}, seed=3, positions=77, most=77, sentences=2, kind=torch.float16)
    tokenizer = family["tokenizer"] = tokenizers.ClipBpe(77)
    drop = ("hidden_act", "layer_norm_eps", "num_attention_heads", "max_position_embeddings", "projection_dim", "num_channels",
            "attention_dropout")
    config = family["config.json"]
    for part in ("text_config", "vision_config"):
        config[part] = {key: value for key, value in config[part].items() if key not in drop}
        del config[part + "_dict"]
    config["vision_config"]["hidden_size"] = 24  # what twelve heads share
    del config["projection_dim"], config["torch_dtype"]
    return without(family, "tokenizer.json")


def siglip(**variant):
    tokenizer = tokenizers.T5Unigram(POSITIONS)
    config = {"architectures": ["SiglipModel"], "initializer_factor": 1.0, "model_type": "siglip",
              "text_config": {**TEXT, "max_position_embeddings": POSITIONS, "model_type": "siglip_text_model",
                              "vocab_size": tokenizer.size},
              "torch_dtype": "float32", "transformers_version": "4.37.0.dev0",
              "vision_config": {**VISION, "model_type": "siglip_vision_model"}}
    return {"family": "siglip", "config.json": config, "preprocessor_config.json": siglip_preprocessor(3), "tokenizer": tokenizer,
            "positions": POSITIONS, "most": POSITIONS, "padded": True, "seed": 4, **variant}


def siglip2():
    """Of a fixed resolution: the config says no more than sizes; bilinear."""
    tokenizer = tokenizers.GemmaBpe(POSITIONS)
    config = siglip()["config.json"]
    config["text_config"].update(projection_size=16, vocab_size=tokenizer.size)
    return {"family": "siglip", "config.json": {**config, "transformers_version": "4.49.0.dev0"},
            "preprocessor_config.json": siglip_preprocessor(2), "tokenizer": tokenizer, "positions": POSITIONS, "most": POSITIONS,
            "padded": True, "lower": True, "kind": torch.float16, "seed": 5}


def open_clip_config(text, quick=False, **preprocess):
    model = {"embed_dim": SHARED, "vision_cfg": {"image_size": 16, "layers": 2, "width": 16, "head_width": 8, "patch_size": 4},
             "text_cfg": text}
    if quick:
        model["quick_gelu"] = True
    return {"model_cfg": model, "preprocess_cfg": {"mean": CLIP_MEAN, "std": CLIP_STD, **preprocess}}


def open_clip(quick=False):
    tokenizer = tokenizers.ClipBpe(POSITIONS)
    text = {"context_length": POSITIONS, "vocab_size": tokenizer.size, "width": 16, "heads": 2, "layers": 2}
    return without({"family": "open_clip", "open_clip_config.json": open_clip_config(text, quick), "tokenizer": tokenizer,
                    "positions": POSITIONS, "most": POSITIONS, "kind": torch.float16, "seed": 6 + quick}, "vocab.json", "merges.txt")


def open_clip_quickgelu():
    family = open_clip(quick=True)
    for part in ("vision_cfg", "text_cfg"):
        family["open_clip_config.json"]["model_cfg"][part]["mlp_ratio"] = 2.5 if part == "vision_cfg" else 2.0
    family["open_clip_config.json"]["preprocess_cfg"].update(interpolation="bilinear", resize_mode="squash")
    return family


def roberta_config(tokenizer, **more):
    return {"architectures": ["XLMRobertaModel"], "attention_probs_dropout_prob": 0.1, "bos_token_id": 0, "eos_token_id": 2,
            "hidden_act": "gelu", "hidden_dropout_prob": 0.1, **TEXT, "layer_norm_eps": 1e-5,
            "max_position_embeddings": POSITIONS + 2, "model_type": "xlm-roberta", "output_past": True, "pad_token_id": 1,
            "position_embedding_type": "absolute", "type_vocab_size": 1, "vocab_size": tokenizer.size, **more}


def open_clip_xlm_r():
    """LAION's of XLM-R-base kind: config and weights say nothing of its twelve heads but that name."""
    tokenizer = tokenizers.XlmRUnigram(POSITIONS)
    text = {"hf_model_name": "xlm-roberta-base", "hf_tokenizer_name": "xlm-roberta-base", "hf_proj_type": "mlp",
            "hf_pooler_type": "mean_pooler"}
    sizes = shapes("text.transformer.", tokenizer.size, 24)
    return {"family": "open_clip", "open_clip_config.json": open_clip_config(text), "tokenizer": tokenizer, "shapes": sizes,
            "positions": POSITIONS + 2, "most": POSITIONS, "kind": torch.float16, "seed": 8}


def shapes(prefix, words, width, positions=POSITIONS + 2, types=1):
    out = {"embeddings.word_embeddings.weight": (words, width), "embeddings.position_embeddings.weight": (positions, width),
           "embeddings.token_type_embeddings.weight": (types, width)}
    out.update({f"encoder.layer.{i}.intermediate.dense.weight": (32, width) for i in range(2)})
    return {prefix + name: shape for name, shape in out.items()}


def m_clip():
    """As on the hub: the transformer's name and the two dimensions; sixteen heads by that name."""
    tokenizer = tokenizers.XlmRUnigram(POSITIONS)
    config = {"architectures": ["MultilingualCLIP"], "modelBase": "xlm-roberta-large", "model_type": "M-CLIP", "numDims": SHARED,
              "torch_dtype": "float32", "transformerDimensions": 32, "transformers_version": "4.8.1"}
    return {"family": "m_clip", "config.json": config, "tokenizer": tokenizer, "shapes": shapes("transformer.", tokenizer.size, 32),
            "positions": POSITIONS + 2, "most": POSITIONS, "kind": torch.float16, "seed": 9,
            "buffers": {"transformer.embeddings.position_ids": torch.arange(POSITIONS + 2)[None]}}


def m_clip_config():
    """As it stands inside a picture generator's folder: all keys of XLM-R beside them."""
    family = m_clip()
    config = {**roberta_config(family["tokenizer"]), **family["config.json"], "transformerDimensions": 16}
    return {**family, "config.json": config, "shapes": shapes("transformer.", family["tokenizer"].size, 16), "seed": 10}


def m_clip_labse():
    """The one of BERT's kind."""
    tokenizer = tokenizers.WordPiece(24, False, "BertTokenizer")
    config = {**m_clip()["config.json"], "modelBase": "sentence-transformers/LaBSE", "transformerDimensions": 24}
    return {"family": "m_clip", "config.json": config, "tokenizer": tokenizer, "positions": 24, "most": 24, "seed": 20,
            "shapes": shapes("transformer.", tokenizer.size, 24, positions=24, types=2)}


def modules(first, *rest):
    kinds = [("Transformer", first), ("Pooling", "1_Pooling"), *((kind, f"{i + 2}_{kind}") for i, kind in enumerate(rest))]
    return [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"} for i, (kind, path) in enumerate(kinds)]


def pooling(width, first=False):
    return {"word_embedding_dimension": width, "pooling_mode_cls_token": first, "pooling_mode_mean_tokens": not first,
            "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False}


def distilbert_config(tokenizer):
    return {"activation": "gelu", "architectures": ["DistilBertModel"], "attention_dropout": 0.1, "dim": 16, "dropout": 0.1,
            "hidden_dim": 32, "initializer_range": 0.02, "max_position_embeddings": 24, "model_type": "distilbert", "n_heads": 2,
            "n_layers": 2, "output_hidden_states": True, "output_past": True, "pad_token_id": 0, "qa_dropout": 0.1,
            "seq_classif_dropout": 0.2, "sinusoidal_pos_embds": False, "tie_weights_": True, "vocab_size": tokenizer.size}


def st_distilbert(first=""):
    """As clip-ViT-B-32-multilingual-v1; max_seq_length is below the positions that there are."""
    tokenizer = tokenizers.WordPiece(24, False, "DistilBertTokenizer")
    dense = {"in_features": 16, "out_features": SHARED, "bias": False, "activation_function": "torch.nn.modules.linear.Identity"}
    place = first + "/" if first else ""
    return {"family": "sentence_transformers", "weights": first, place + "config.json": distilbert_config(tokenizer),
            place + "sentence_bert_config.json": {"max_seq_length": POSITIONS, "do_lower_case": False},
            "config_sentence_transformers.json": {"__version__": {"pytorch": "1.7.0", "sentence_transformers": "2.0.0",
                                                                  "transformers": "4.7.0"}},
            "modules.json": modules(first, "Dense"), "1_Pooling/config.json": pooling(16), "2_Dense/config.json": dense,
            "tokenizer": tokenizer, "positions": 24, "most": POSITIONS, "seed": 11}


def st_distilbert_inside():
    """The older place of the transformer; BERT's older files."""
    return without({**st_distilbert("0_Transformer"), "seed": 12}, "tokenizer.json")


def bert_config(tokenizer):
    return {"architectures": ["BertModel"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, **TEXT,
            "initializer_range": 0.02, "layer_norm_eps": 1e-12, "max_position_embeddings": 24, "model_type": "bert", "pad_token_id": 0,
            "position_embedding_type": "absolute", "type_vocab_size": 2, "vocab_size": tokenizer.size}


def st_bert():
    """The first token's state, mapped with a bias and tanh."""
    tokenizer = tokenizers.WordPiece(24, True, "BertTokenizer")
    dense = {"in_features": 16, "out_features": SHARED, "bias": True, "activation_function": "torch.nn.modules.activation.Tanh"}
    return {"family": "sentence_transformers", "config.json": bert_config(tokenizer), "modules.json": modules("", "Dense"),
            "sentence_bert_config.json": {"max_seq_length": 24, "do_lower_case": False}, "1_Pooling/config.json": pooling(16, first=True),
            "2_Dense/config.json": dense, "tokenizer": tokenizer, "positions": 24, "most": 24, "seed": 13}


def st_xlm_r():
    """The mean state, normalised, in its own dimensions."""
    tokenizer = tokenizers.XlmRUnigram(POSITIONS)
    return {"family": "sentence_transformers", "config.json": roberta_config(tokenizer), "modules.json": modules("", "Normalize"),
            "sentence_bert_config.json": {"max_seq_length": POSITIONS, "do_lower_case": False}, "1_Pooling/config.json": pooling(16),
            "tokenizer": tokenizer, "positions": POSITIONS + 2, "most": POSITIONS, "seed": 14}


def xlm_r():
    """A masked language model's file: a prefix before the names, a head behind."""
    tokenizer = tokenizers.XlmRUnigram(POSITIONS)
    head = {"lm_head.bias": (tokenizer.size,), "lm_head.dense.weight": (16, 16), "lm_head.dense.bias": (16,),
            "lm_head.layer_norm.weight": (16,), "lm_head.layer_norm.bias": (16,)}
    return {"family": "xlm-roberta", "config.json": roberta_config(tokenizer, architectures=["XLMRobertaForMaskedLM"]),
            "tokenizer": tokenizer, "positions": POSITIONS + 2, "most": POSITIONS, "prefix": "roberta.", "head": head, "seed": 15}


def bert():
    """Google's first files: gamma and beta, a pooler and two heads that are not used here."""
    tokenizer = tokenizers.WordPiece(24, False, "BertTokenizer")
    head = {"bert.pooler.dense.weight": (16, 16), "bert.pooler.dense.bias": (16,), "cls.predictions.bias": (tokenizer.size,),
            "cls.predictions.transform.dense.weight": (16, 16), "cls.predictions.transform.dense.bias": (16,),
            "cls.predictions.transform.LayerNorm.gamma": (16,), "cls.predictions.transform.LayerNorm.beta": (16,),
            "cls.seq_relationship.weight": (2, 16), "cls.seq_relationship.bias": (2,)}
    config = {**bert_config(tokenizer), "architectures": ["BertForMaskedLM"]}
    for key in ("layer_norm_eps", "hidden_act"):  # as the defaults are
        del config[key]
    return {"family": "bert", "config.json": config, "tokenizer": tokenizer, "positions": 24, "most": 24, "prefix": "bert.", "head": head,
            "old_norms": True, "seed": 16}


def dinov2(image=24, **more):
    config = {"apply_layernorm": True, "architectures": ["Dinov2Model"], "attention_probs_dropout_prob": 0.0, "drop_path_rate": 0.0,
              "hidden_act": "gelu", "hidden_dropout_prob": 0.0, "hidden_size": 16, "image_size": image, "initializer_range": 0.02,
              "layer_norm_eps": 1e-6, "layerscale_value": 1.0, "mlp_ratio": 2, "model_type": "dinov2", "num_attention_heads": 2,
              "num_channels": 3, "num_hidden_layers": 2, "patch_size": 4, "qkv_bias": True, "reshape_hidden_states": True,
              "torch_dtype": "float32", "use_swiglu_ffn": False, **more}
    preprocessor = {"crop_size": {"height": 16, "width": 16}, "do_center_crop": True, "do_convert_rgb": True, "do_normalize": True,
                    "do_rescale": True, "do_resize": True, "image_mean": [0.485, 0.456, 0.406],
                    "image_processor_type": "BitImageProcessor", "image_std": [0.229, 0.224, 0.225], "resample": 3,
                    "rescale_factor": SCALE, "size": {"shortest_edge": 18}}
    return {"family": config["model_type"], "config.json": config, "preprocessor_config.json": preprocessor, "tokenizer": None, "seed": 17}


def dinov2_same_size():
    """Pictures as large as those of the training: positions as they are; SwiGLU, as the giant one."""
    return {**dinov2(image=16, use_swiglu_ffn=True), "seed": 18}


def dinov2_registers():
    return {**dinov2(model_type="dinov2_with_registers", architectures=["Dinov2WithRegistersModel"], num_register_tokens=3), "seed": 19}


FAMILIES = {"clip": clip, "clip_gelu": clip_gelu, "clip_defaults": clip_defaults, "siglip": siglip, "siglip2": siglip2,
            "siglip_bfloat16": lambda: siglip(kind=torch.bfloat16), "open_clip": open_clip, "open_clip_quickgelu": open_clip_quickgelu,
            "open_clip_xlm_r": open_clip_xlm_r, "m_clip": m_clip, "m_clip_config": m_clip_config, "m_clip_labse": m_clip_labse,
            "sentence_transformers_distilbert": st_distilbert, "sentence_transformers_inside": st_distilbert_inside,
            "sentence_transformers_bert": st_bert, "sentence_transformers_xlm_r": st_xlm_r, "xlm_r": xlm_r,
            "xlm_r_sharded": lambda: {**xlm_r(), "shards": 3}, "bert": bert,
            "dinov2": dinov2, "dinov2_same_size": dinov2_same_size, "dinov2_registers": dinov2_registers}


def randomise(model, generator):
    """Weights so large that attention prefers and activations bend; embeddings so small, as after training, that the norms' epsilon
    counts."""
    def normal(tensor, scale, mean=0.0):
        tensor.data.copy_(torch.randn(tensor.shape, generator=generator) * scale + mean)

    for name, module in model.named_modules():
        for own, tensor in module.named_parameters(recurse=False):
            if isinstance(module, nn.LayerNorm):
                normal(tensor, 0.2, 1.0 if own == "weight" else 0.0)
            elif isinstance(module, nn.Embedding) or "position" in own:
                normal(tensor, 0.02)
            elif isinstance(module, nn.Conv2d) and own == "weight":
                normal(tensor, 0.03 * tensor[0].numel() ** -0.5)
            elif own.endswith("bias"):
                normal(tensor, 0.01 if isinstance(module, nn.Conv2d) else 0.1)
            elif own == "lambda1":
                normal(tensor, 0.2, 0.7)
            elif own == "logit_scale":
                tensor.data.fill_(math.log(50.0))
            elif own in ("proj", "text_projection"):  # [inputs, outputs]
                normal(tensor, tensor.shape[0] ** -0.5)
            elif tensor.dim() >= 2 and min(tensor.shape) > 1:
                normal(tensor, 1.5 * tensor.shape[1] ** -0.5)
            else:  # class and register tokens, the probe
                normal(tensor, 0.03)


def named(family, tensors, generator):
    """The family's names, and tensors that stand in its files beside the model's."""
    prefix = family.get("prefix", "")
    out = {prefix + name.removeprefix("states."): tensor for name, tensor in tensors.items()}
    if family.get("old_norms"):
        out = {name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor
               for name, tensor in out.items()}
    out.update({name: torch.randn(shape, generator=generator) for name, shape in family.get("head", {}).items()})
    out.update(family.get("buffers", {}))
    return out


def write_folder(folder, family):
    """Writes all but what is expected; returns the tokenizer, or None."""
    kind = family.get("kind", torch.float32)
    if "torch_dtype" in family.get("config.json", {}):
        family["config.json"]["torch_dtype"] = str(kind).removeprefix("torch.")
    for name, content in family.items():
        if name.endswith(".json"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(json.dumps(content, indent=2) + "\n")
    place = folder / family.get("weights", "")
    if family["tokenizer"]:
        tokenizers.write_files(place, family["tokenizer"].files)
    generator = torch.Generator().manual_seed(family.get("seed", 1))
    dense = folder / "2_Dense"
    if dense.exists():
        config = json.loads((dense / "config.json").read_text())
        outputs, inputs = config["out_features"], config["in_features"]
        tensors = {"linear.weight": torch.randn(outputs, inputs, generator=generator) * inputs ** -0.5}
        if config["bias"]:
            tensors["linear.bias"] = torch.randn(outputs, generator=generator) * 0.1
        weights.write_file(dense / "model.safetensors", tensors)
    model = reference.make_model(folder, family.get("shapes"))
    randomise(model, generator)
    tensors = {name: tensor.detach() for name, tensor in model.state_dict().items() if not name.startswith("rest.")}
    tensors = named(family, tensors, generator)
    tensors = {name: tensor.to(kind) if tensor.is_floating_point() else tensor for name, tensor in sorted(tensors.items())}
    if "shards" in family:
        weights.write_sharded(folder, tensors, family["shards"])
    else:
        weights.write_file(place / ("open_clip_model.safetensors" if "open_clip_config.json" in family else "model.safetensors"), tensors)
    return family["tokenizer"]


def every(config, key, change):
    """Changes a key wherever it stands; says whether it stood anywhere."""
    found = False
    for name, value in config.items():
        if isinstance(value, dict):
            found |= every(value, key, change)
        elif name == key:
            config[key] = change(value)
            found = True
    return found


# Readings that are wrong: `make_folders --sensitivity` shows that the vectors tell.
WRONG = {
    "another activation": lambda config: not config.get("use_swiglu_ffn") and every(config, "hidden_act", lambda act: "gelu" if act == "quick_gelu" else "quick_gelu")
    | every(config, "activation", lambda act: "quick_gelu"),
    "tanh's activation": lambda config: "hidden_act" in config and not config.get("use_swiglu_ffn") and every(config, "hidden_act", lambda act: "gelu_new"),
    "quick_gelu left out": lambda config: config.get("model_cfg", {}).pop("quick_gelu", None) is not None,
    "another number of heads": lambda config: every(config, "num_attention_heads", lambda heads: heads * 2) | every(config, "n_heads", lambda heads: heads * 2)
    | every(config, "heads", lambda heads: heads * 2) | every(config, "head_width", lambda width: 16),
    "epsilon": lambda config: every(config, "layer_norm_eps", lambda epsilon: 1e-5 if epsilon < 1e-5 else 1e-12),
    "end mark": lambda config: every(config, "eos_token_id", lambda mark: 2) if config.get("model_type") == "clip"
    and config["text_config"]["eos_token_id"] != 2 else False,
}

// CLIP in open_clip's own layout (Ilharco et al. 2021).
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "pretrained/bert_kinds.h"
#include "pretrained/family.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOpenClipConfig = "open_clip_config.json";

TowerNames open_clip_names(const std::string& top) {
  TowerNames names;
  names.block = top + "transformer.resblocks.";
  names.attention_norm = "ln_1";
  names.query_key_value = {"attn."};
  names.joined_in_proj = true;
  names.attention_out = "attn.out_proj";
  names.mlp_norm = "ln_2";
  names.mlp_in = "mlp.c_fc";
  names.mlp_out = "mlp.c_proj";
  names.positions = top + "positional_embedding";
  names.exchanged = true;
  return names;
}

// Other architectures of open_clip, by what their configurations say.
void refuse_others(const JsonNode& part, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto value = part.find(key);
    if (!value || value->is_null()) continue;
    part.refuse(fmt::format("has {}", key),
                "a transformer of open_clip's own; this is not supported");
  }
}

Tower read_open_clip_picture(const SourceFolder& source, const JsonNode& vision,
                             Activation activation) {
  TowerNames names = open_clip_names("visual.");
  names.patches = "visual.conv1";
  names.class_token = "visual.class_embedding";
  names.embedding_norm = "visual.ln_pre";
  names.final_norm = "visual.ln_post";
  names.projection = "visual.proj";
  TransformerSpec spec;
  spec.activation = activation;
  spec.patch = size_or(vision, "patch_size", 32);
  spec.heads =
      std::max<std::size_t>(1, size_or(vision, "width", 768) / size_or(vision, "head_width", 64));
  spec.embedding_norm = true;
  spec.pooling = TokenPooling::first;
  return build_picture_tower(source, names, spec);
}

// A text tower of transformers, which the configuration names: "xlm-roberta-base".
void read_named_text(const SourceFolder& source, const JsonNode& text, PretrainedModel& model) {
  const JsonNode name = text.at("hf_model_name");
  const BertKind kind = bert_kind_named(name, name.string());
  const std::string older = string_or(text, "pooler_type", "mean_pooler");
  const std::string pooler = string_or(text, "hf_pooler_type", older);
  if (pooler != "mean_pooler") {
    text.refuse(fmt::format("has the pooler '{}'", pooler), "mean_pooler; no other is supported");
  }
  model.text = read_bert_kind(source, kind, size_or(text, "context_length", 0));
  if (source.has("text.proj.0.weight")) {
    add_layer_before_projection(source, "text.proj.0", *model.text);
    add_projection(source, "text.proj.2.weight", "text.proj.2.bias", false, *model.text);
  } else {
    add_projection(source, "text.proj.weight", "text.proj.bias", false, *model.text);
  }
  model.tokenizer = kind.kind;
  model.languages = languages_of_xlm_r();
}

bool is_open_clip(const fs::path& folder, std::string_view) {
  return fs::is_regular_file(folder / kOpenClipConfig);
}

PretrainedModel read_open_clip(const fs::path& folder) {
  const JsonNode config = read_json(folder, kOpenClipConfig)->at("model_cfg");
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "open_clip_model.safetensors"));
  const SourceFolder& source = *model.sources.front();
  const Activation activation =
      flag_or(config, "quick_gelu", false) ? Activation::quick_gelu : Activation::gelu;
  const JsonNode vision = config.at("vision_cfg"), text = config.at("text_cfg");
  refuse_others(vision, {"timm_model_name", "attentional_pool", "ls_init_value", "pool_type"});
  refuse_others(text, {"embed_cls", "pool_type", "attentional_pool"});
  model.picture = read_open_clip_picture(source, vision, activation);
  if (text.find("hf_model_name")) {
    read_named_text(source, text, model);
    return model;
  }

  // CoCa and custom text towers keep theirs under "text.".
  const std::string top = source.has("token_embedding.weight") ? "" : "text.";
  TowerNames names = open_clip_names(top);
  names.tokens = top + "token_embedding.weight";
  names.final_norm = top + "ln_final";
  names.projection = top + "text_projection";
  TransformerSpec spec;
  spec.activation = activation;
  spec.heads = size_or(text, "heads", 8);
  spec.causal = true;
  spec.pooling = TokenPooling::last;
  model.text = build_text_tower(source, names, spec);
  model.tokenizer = "clip";
  model.languages = {"en"};
  return model;
}

}  // namespace

const Family kOpenClipFamily{"open_clip", "open_clip_config.json: transformers of its own",
                             is_open_clip, read_open_clip};

}  // namespace hinny

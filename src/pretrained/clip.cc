// CLIP as transformers keeps it (Radford et al. 2021): OpenAI's, LAION's, MetaCLIP, DataComp.
#include "base/error.h"
#include "pretrained/family.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

TowerNames clip_names(const std::string& tower) {
  TowerNames names;
  names.block = tower + ".encoder.layers.";
  names.attention_norm = "layer_norm1";
  names.query_key_value = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
  names.attention_out = "self_attn.out_proj";
  names.mlp_norm = "layer_norm2";
  names.mlp_in = "mlp.fc1";
  names.mlp_out = "mlp.fc2";
  names.positions = tower + ".embeddings.position_embedding.weight";
  return names;
}

TransformerSpec clip_spec(const JsonNode& part, std::size_t heads) {
  TransformerSpec spec;
  spec.heads = size_or(part, "num_attention_heads", heads);
  spec.epsilon = number_or(part, "layer_norm_eps", 1e-5);
  spec.activation = activation_of(part, "quick_gelu");
  return spec;
}

Tower read_clip_text(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = clip_names("text_model");
  names.tokens = "text_model.embeddings.token_embedding.weight";
  names.final_norm = "text_model.final_layer_norm";
  names.projection = "text_projection";
  TransformerSpec spec = clip_spec(part, 8);
  spec.causal = true;
  spec.pooling = TokenPooling::last;  // the end token, after which nothing is computed
  return build_text_tower(source, names, spec);
}

Tower read_clip_picture(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = clip_names("vision_model");
  names.patches = "vision_model.embeddings.patch_embedding";
  names.class_token = "vision_model.embeddings.class_embedding";
  names.embedding_norm = "vision_model.pre_layrnorm";  // so it is spelled
  names.final_norm = "vision_model.post_layernorm";
  names.projection = "visual_projection";
  TransformerSpec spec = clip_spec(part, 12);
  spec.patch = size_or(part, "patch_size", 32);
  spec.embedding_norm = true;
  spec.pooling = TokenPooling::first;
  return build_picture_tower(source, names, spec);
}

bool is_clip(const fs::path&, std::string_view kind) {
  return kind == "clip" || kind == "clip_text_model" || kind == "clip_vision_model";
}

PretrainedModel read_clip(const fs::path& folder) {
  const JsonNode config = read_json(folder, "config.json").value();
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "model.safetensors"));
  const SourceFolder& source = *model.sources.front();
  // A folder of one tower alone has its configuration at the top.
  const auto part = [&](const char* name) {
    const auto inner = config.find(name);
    return inner && inner->is_object() ? *inner : config;
  };
  if (source.has("text_model.embeddings.token_embedding.weight")) {
    model.text = read_clip_text(source, part("text_config"));
  }
  if (source.has("vision_model.embeddings.patch_embedding.weight")) {
    model.picture = read_clip_picture(source, part("vision_config"));
  }
  if (!model.text && !model.picture) source.at("text_model.embeddings.token_embedding.weight");
  model.tokenizer = "clip";
  model.languages = {"en"};
  return model;
}

}  // namespace

const Family kClipFamily{"clip", "OpenAI's, LAION's, MetaCLIP, DataComp", is_clip, read_clip};

}  // namespace hinny

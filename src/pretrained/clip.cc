// CLIP as transformers keeps it (Radford et al. 2021): OpenAI's, LAION's, MetaCLIP, DataComp.
#include "pretrained/two_towers.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

TransformerSpec clip_spec(const JsonNode& part, std::size_t heads) {
  TransformerSpec spec;
  spec.heads = size_or(part, "num_attention_heads", heads);
  spec.epsilon = number_or(part, "layer_norm_eps", 1e-5);
  spec.activation = activation_of(part, "quick_gelu");
  return spec;
}

Tower read_clip_text(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = two_tower_names("text_model");
  names.final_norm = "text_model.final_layer_norm";
  names.projection = "text_projection";
  TransformerSpec spec = clip_spec(part, 8);
  spec.causal = true;
  spec.pooling = TokenPooling::last;  // the end token, after which nothing is computed
  return build_text_tower(source, names, spec);
}

Tower read_clip_picture(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = two_tower_names("vision_model");
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
  PretrainedModel model = read_two_towers(folder, read_clip_text, read_clip_picture);
  model.tokenizer = "clip";
  model.languages = {"en"};
  return model;
}

}  // namespace

const Family kClipFamily{"clip", "OpenAI's, LAION's, MetaCLIP, DataComp", is_clip, read_clip};

}  // namespace hinny

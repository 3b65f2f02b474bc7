#include "pretrained/two_towers.h"

namespace hinny {
namespace {

constexpr const char* kTokenTable = "text_model.embeddings.token_embedding.weight";

}  // namespace

TowerNames two_tower_names(const std::string& tower) {
  TowerNames names;
  names.block = tower + ".encoder.layers.";
  names.attention_norm = "layer_norm1";
  names.query_key_value = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
  names.attention_out = "self_attn.out_proj";
  names.mlp_norm = "layer_norm2";
  names.mlp_in = "mlp.fc1";
  names.mlp_out = "mlp.fc2";
  names.tokens = kTokenTable;
  names.positions = tower + ".embeddings.position_embedding.weight";
  names.patches = tower + ".embeddings.patch_embedding";
  return names;
}

PretrainedModel read_two_towers(const std::filesystem::path& folder, ReadTower text,
                                ReadTower picture) {
  const JsonNode config = read_json(folder, "config.json").value();
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "model.safetensors"));
  const SourceFolder& source = *model.sources.front();
  const auto part = [&](const char* name) {
    const auto inner = config.find(name);
    return inner && inner->is_object() ? *inner : config;
  };
  if (source.has(kTokenTable)) model.text = text(source, part("text_config"));
  if (source.has("vision_model.embeddings.patch_embedding.weight")) {
    model.picture = picture(source, part("vision_config"));
  }
  if (!model.text && !model.picture) source.at(kTokenTable);  // says that it is missing
  return model;
}

}  // namespace hinny

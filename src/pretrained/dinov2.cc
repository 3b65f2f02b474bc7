// DINOv2 (Oquab et al. 2023), with registers (Darcet et al. 2024) or without: a network that sees
// and does not read.
#include <fmt/format.h>

#include "base/error.h"
#include "pretrained/family.h"
#include "pretrained/picture_size.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

bool is_dinov2(const fs::path&, std::string_view kind) {
  return kind == "dinov2" || kind == "dinov2_with_registers";
}

PretrainedModel read_dinov2(const fs::path& folder) {
  const JsonNode config = read_json(folder, "config.json").value();
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "model.safetensors"));
  const SourceFolder& source = *model.sources.front();
  const std::string top = source.has("dinov2.embeddings.cls_token") ? "dinov2." : "";
  TowerNames names;
  names.block = top + "encoder.layer.";
  names.attention_norm = "norm1";
  names.query_key_value = {"attention.attention.query", "attention.attention.key",
                           "attention.attention.value"};
  names.attention_out = "attention.output.dense";
  names.attention_scale = "layer_scale1.lambda1";
  names.mlp_norm = "norm2";
  const bool swiglu = flag_or(config, "use_swiglu_ffn", false);  // of the giant
  names.mlp_in = swiglu ? "mlp.weights_in" : "mlp.fc1";
  names.mlp_out = swiglu ? "mlp.weights_out" : "mlp.fc2";
  names.mlp_scale = "layer_scale2.lambda1";
  names.final_norm = top + "layernorm";
  names.patches = top + "embeddings.patch_embeddings.projection";
  names.class_token = top + "embeddings.cls_token";
  if (source.has(top + "embeddings.register_tokens")) {
    names.registers = top + "embeddings.register_tokens";
  }
  names.positions = top + "embeddings.position_embeddings";
  TransformerSpec spec;
  spec.heads = size_or(config, "num_attention_heads", 12);
  spec.epsilon = number_or(config, "layer_norm_eps", 1e-6);
  spec.activation = swiglu ? Activation::swiglu : activation_of(config, "gelu");
  spec.patch = size_or(config, "patch_size", 14);
  spec.pooling = TokenPooling::first;
  // Its positions are of larger pictures than those it is shown.
  spec.side = size_that_is_seen(folder).value_or(0);
  model.picture = build_picture_tower(source, names, spec);
  return model;
}

}  // namespace

const Family kDinov2Family{"dinov2", "DINOv2, with registers or without; it sees and does not read",
                           is_dinov2, read_dinov2};

}  // namespace hinny

// SigLIP (Zhai et al. 2023) and SigLIP 2 of fixed size (Tschannen et al. 2025).
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "pretrained/two_towers.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

TransformerSpec siglip_spec(const JsonNode& part) {
  TransformerSpec spec;
  spec.heads = size_or(part, "num_attention_heads", 12);
  spec.epsilon = number_or(part, "layer_norm_eps", 1e-6);
  spec.activation = activation_of(part, "gelu_pytorch_tanh");
  return spec;
}

Tower read_siglip_text(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = two_tower_names("text_model");
  names.final_norm = "text_model.final_layer_norm";
  names.projection = "text_model.head";
  TransformerSpec spec = siglip_spec(part);
  spec.padded = true;  // without a mask, so that padding counts
  spec.pooling = TokenPooling::last;
  return build_text_tower(source, names, spec);
}

Tower read_siglip_picture(const SourceFolder& source, const JsonNode& part) {
  TowerNames names = two_tower_names("vision_model");
  names.final_norm = "vision_model.post_layernorm";
  names.head = "vision_model.head";
  TransformerSpec spec = siglip_spec(part);
  spec.patch = size_or(part, "patch_size", 16);
  spec.pooling = TokenPooling::attention;
  return build_picture_tower(source, names, spec);
}

// Its scores say by themselves whether a picture belongs: sigmoid(scale x cosine + bias).
std::optional<Fit> read_sigmoid(const SourceFolder& source) {
  const char* scale = "logit_scale";
  const char* bias = "logit_bias";
  if (!source.has(scale) || !source.has(bias)) return std::nullopt;
  const std::vector<float> log = source.at(scale).floats(), added = source.at(bias).floats();
  const Fit fit = log.size() == 1 && added.size() == 1
                      ? Fit{std::exp(static_cast<double>(log[0])), static_cast<double>(added[0])}
                      : Fit{};
  if (fit.slope > 0 && std::isfinite(fit.slope) && std::isfinite(fit.offset)) return fit;
  throw InputError(source.file_of(scale), fmt::format("{} and {} are no curve", scale, bias),
                   "one finite number each");
}

bool is_siglip(const fs::path&, std::string_view kind) {
  return kind == "siglip" || kind == "siglip_text_model" || kind == "siglip_vision_model";
}

PretrainedModel read_siglip(const fs::path& folder) {
  PretrainedModel model = read_two_towers(folder, read_siglip_text, read_siglip_picture);
  // The second one reads 256,000 pieces in many languages, the first 32,000 in English.
  constexpr std::size_t kMostOfTheFirst = 100'000;
  const auto tokenizer = read_json(folder, "tokenizer_config.json");
  const bool gemma = tokenizer && string_or(*tokenizer, "tokenizer_class", "").starts_with("Gemma");
  const bool second = gemma || (model.text && model.text->spec.vocabulary > kMostOfTheFirst);
  model.tokenizer = second ? "siglip2" : "siglip";
  model.system = model.tokenizer;
  if (model.text && model.picture) model.fit = read_sigmoid(*model.sources.front());
  model.languages = second ? languages_of_crossmodal() : std::vector<std::string>{"en"};
  return model;
}

}  // namespace

const Family kSiglipFamily{"siglip", "SigLIP, and SigLIP 2 of a fixed size", is_siglip,
                           read_siglip};

}  // namespace hinny

#include "encoder/export_model.h"

#include <map>
#include <vector>

#include "base/atomic_file.h"
#include "encoder/pooling.h"

namespace hinny {
namespace {

// The names that the configuration uses, each with the type its matrices shall have.
std::map<std::string, WeightType> tensors_of(const ModelConfig& config, WeightType type) {
  std::map<std::string, WeightType> names;
  const auto add_layers = [&](const std::vector<LayerSpec>& layers, WeightType of_matrices) {
    for (const LayerSpec& layer : layers) {
      if (pools(layer)) {
        for (const std::string& tensor : pooling_tensors(layer)) names[tensor] = of_matrices;
        continue;
      }
      if (layer.prefix.empty()) continue;
      names[layer.prefix + ".weight"] = of_matrices;
      names[layer.prefix + ".bias"] = of_matrices;
      if (layer.kind != LayerKind::batch_norm) continue;
      names[layer.prefix + ".running_mean"] = of_matrices;
      names[layer.prefix + ".running_var"] = of_matrices;
    }
  };
  for (const auto& item : config.image) {
    add_layers(item.second, type == WeightType::int8 ? WeightType::bfloat16 : type);
  }
  for (const auto& item : config.text) {
    const std::string& table = item.second.characters;
    names[table.empty() ? item.second.words : table] = type;
    if (!item.second.borrowed.empty()) names[item.second.borrowed] = WeightType::float32;
    if (!item.second.latents.empty()) {
      names[item.second.latents] = type;
      names[item.second.latent_of] = WeightType::float32;
    }
    add_layers(item.second.layers, type);
    add_layers(item.second.word_layers, type);
    const EncoderSpec& encoder = item.second.encoder;
    if (encoder.kind == EncoderKind::mean) continue;
    for (const char* suffix : {"_l0", "_l0_reverse"}) {
      if (std::string_view(suffix) != "_l0" && !encoder.bidirectional) break;
      for (const char* name : {".weight_ih", ".weight_hh", ".bias_ih", ".bias_hh"}) {
        names[encoder.prefix + name + suffix] = type;
      }
    }
  }
  if (config.features.standardise) {
    names["features.mean"] = names["features.scale"] = type;
  }
  return names;
}

void copy_beside_weights(const Model& model, const std::filesystem::path& folder) {
  const std::string_view words = model.tower() == nullptr ? kVocabularyFile : kTokenizerFile;
  for (const std::string_view name : {kConfigFile, words, kHubsFile}) {
    if (name == kHubsFile && !std::filesystem::exists(model.folder() / name)) continue;
    copy_whole_file(model.folder() / name, folder / name);
  }
}

}  // namespace

void copy_model(const Model& model, const std::filesystem::path& folder) {
  copy_beside_weights(model, folder);
  copy_whole_file(model.folder() / kWeightsFile, folder / kWeightsFile);
}

void export_model(const Model& model, WeightType type, const std::filesystem::path& folder) {
  model.check_reads_words();
  if (model.tower() != nullptr) return copy_model(model, folder);
  copy_beside_weights(model, folder);
  export_weights(model.weights(), tensors_of(model.config(), type), folder / kWeightsFile);
}

}  // namespace hinny

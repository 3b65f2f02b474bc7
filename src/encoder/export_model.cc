#include "encoder/export_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/half.h"
#include "base/safetensors.h"
#include "encoder/kernels.h"

namespace hinny {
namespace {

// Tensors in memory, to be written together.
class Tensors {
 public:
  void add(const std::string& name, TensorType type, std::vector<std::int64_t> shape,
           std::vector<std::byte> bytes) {
    const auto& kept = bytes_[name] = std::move(bytes);
    views_[name] = {type, std::move(shape), kept};
  }
  template <typename T>
  void add(const std::string& name, TensorType type, const std::vector<std::int64_t>& shape,
           const std::vector<T>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    add(name, type, shape, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  bool contains(const std::string& name) const { return views_.contains(name); }
  const std::map<std::string, TensorView>& views() const { return views_; }

 private:
  std::map<std::string, std::vector<std::byte>> bytes_;
  std::map<std::string, TensorView> views_;
};

void add_int8(Tensors& tensors, const std::string& name, const std::vector<std::int64_t>& shape,
              std::span<const float> numbers) {
  const auto columns = static_cast<std::size_t>(shape[1]);
  std::vector<float> scales;
  std::vector<std::int8_t> bytes(numbers.size());
  for (std::size_t first = 0; first < numbers.size(); first += columns) {
    scales.push_back(
        to_int8(numbers.subspan(first, columns), std::span(bytes).subspan(first, columns)));
  }
  tensors.add(name, TensorType::int8, shape, bytes);
  tensors.add(scale_name(name), TensorType::float32, {shape[0]}, scales);
}

// The names that the configuration uses, each with the type its matrices shall have.
std::map<std::string, WeightType> tensors_of(const ModelConfig& config, WeightType type) {
  std::map<std::string, WeightType> names;
  const auto add_layers = [&](const std::vector<LayerSpec>& layers, WeightType of_matrices) {
    for (const LayerSpec& layer : layers) {
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

void add(Tensors& tensors, const Model& model, const std::string& name, WeightType type) {
  const std::vector<std::int64_t> shape = model.weights().file().at(name).shape;
  const std::span<const float> numbers = model.weights().numbers(name);
  if (!std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) {
    throw InputError(model.folder() / kWeightsFile,
                     fmt::format("tensor '{}' holds numbers that are not finite", name),
                     "a model that was trained well");
  }
  const bool matrix = shape.size() == 2;
  if (matrix && type == WeightType::int8 &&
      shape[1] <= static_cast<std::int64_t>(kMostIntegerColumns)) {
    add_int8(tensors, name, shape, numbers);
  } else if (matrix && type != WeightType::float32) {
    std::vector<std::uint16_t> halves(numbers.size());
    std::ranges::transform(numbers, halves.begin(), float_to_bfloat16);
    tensors.add(name, TensorType::bfloat16, shape, halves);
  } else {
    tensors.add(name, TensorType::float32, shape,
                std::vector<float>(numbers.begin(), numbers.end()));
  }
}

}  // namespace

WeightType weight_type(const std::string& name) {
  if (name == "fp32") return WeightType::float32;
  if (name == "bf16") return WeightType::bfloat16;
  if (name == "int8") return WeightType::int8;
  throw InputError(fmt::format("no weights '{}'", name), "fp32, bf16 or int8");
}

void export_model(const Model& model, WeightType type, const std::filesystem::path& folder) {
  model.check_reads_words();
  Tensors tensors;
  for (const auto& [name, of_matrices] : tensors_of(model.config(), type)) {
    add(tensors, model, name, of_matrices);
  }
  for (const std::string_view name : {kConfigFile, kVocabularyFile}) {
    copy_whole_file(model.folder() / name, folder / name);
  }
  write_safetensors(folder / kWeightsFile, tensors.views());
}

}  // namespace hinny

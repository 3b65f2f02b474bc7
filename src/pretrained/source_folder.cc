#include "pretrained/source_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/folders.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostJson = std::uint64_t{8} << 20U;
constexpr std::size_t kMostShards = 256;
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 32;

bool holds_pickles(const fs::path& folder) {
  return std::ranges::any_of(entries_in(folder), [](const auto& item) {
    const fs::path& file = item.path();
    return file.extension() == ".bin" || file.extension() == ".pt" || file.extension() == ".pth";
  });
}

bool is_float(const TensorView& view) {
  return view.type == TensorType::float32 || view.type == TensorType::float16 ||
         view.type == TensorType::bfloat16;
}

// A number, or null, which transformers writes for what is left to the default.
std::optional<JsonNode> value_of(const JsonNode& node, std::string_view key) {
  auto value = node.find(key);
  if (value && value->is_null()) return std::nullopt;
  return value;
}

}  // namespace

SourceFolder::SourceFolder(const fs::path& folder, const std::string& weights) : folder_(folder) {
  const fs::path whole = folder / weights, index = folder / (weights + ".index.json");
  if (fs::is_regular_file(whole)) {
    open(whole);
  } else if (fs::is_regular_file(index)) {
    open_shards(index);
  } else if (holds_pickles(folder)) {
    throw InputError(
        folder,
        fmt::format("no {}, and pickled weights, which are programs, are not read", weights),
        "weights converted once, in Python: from safetensors.torch import save_file; import torch; "
        "save_file({k: v.clone().contiguous() for k, v in torch.load('pytorch_model.bin', "
        "map_location='cpu', weights_only=True).items()}, 'model.safetensors')");
  } else {
    refuse_networks_alone(folder);
    throw InputError(folder, fmt::format("no {}", weights), "the weights as safetensors");
  }
}

void refuse_networks_alone(const fs::path& folder) {
  for (const char* part : {"visual/model.onnx", "onnx"}) {
    const fs::path networks = folder / part;
    if (!fs::exists(networks)) continue;
    throw InputError(
        networks, "towers as ONNX networks are not supported",
        "the same model's folder with its weights as safetensors, which its makers publish as "
        "well; "
        "a picture tower alone is taken as a network: hinny features DATA --encoder FILE.onnx");
  }
}

void SourceFolder::open(const fs::path& file) {
  files_.push_back(SafetensorsFile::open(file));
  paths_.push_back(file);
  for (const auto& [name, view] : files_.back().tensors()) {
    if (tensors_.try_emplace(name, &view, paths_.size() - 1).second) continue;
    throw InputError(file, fmt::format("tensor '{}' a second time", name), "each once");
  }
}

void SourceFolder::open_shards(const fs::path& index) {
  const JsonNode root = JsonNode::read(index, kMostJson);
  std::map<std::string, std::string> shards;  // by tensor
  std::vector<std::string> names;
  for (const auto& [tensor, file] : root.at("weight_map").members()) {
    const std::string name = file.string();
    if (fs::path(name).filename() != name || fs::path(name).extension() != ".safetensors") {
      file.refuse(fmt::format("is '{}'", name), "a file of this folder, FILE.safetensors");
    }
    shards[tensor] = name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    if (names.size() > kMostShards) {
      root.refuse("names too many files", fmt::format("at most {}", kMostShards));
    }
  }
  files_.reserve(names.size());
  for (const std::string& name : names) {
    if (!fs::is_regular_file(folder_ / name)) {
      throw InputError(folder_ / name, "no such file",
                       fmt::format("it: {} says that weights are in it", index.string()));
    }
    open(folder_ / name);
  }
  for (const auto& [tensor, file] : shards) {
    if (has(tensor) && file_of(tensor) == folder_ / file) continue;
    throw InputError(folder_ / file, fmt::format("no tensor '{}'", tensor),
                     fmt::format("it, by {}", index.string()));
  }
}

const TensorView& SourceFolder::at(const std::string& tensor) const {
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) {
    throw InputError(paths_.front(), fmt::format("no tensor '{}'", tensor),
                     "the weights that config.json describes");
  }
  const TensorView& view = *found->second.first;
  if (is_float(view)) return view;
  throw InputError(file_of(tensor), fmt::format("tensor '{}' holds no floats", tensor),
                   "F32, F16 or BF16");
}

const TensorView& SourceFolder::at(const std::string& tensor,
                                   const std::vector<std::size_t>& shape) const {
  const TensorView& view = at(tensor);
  const bool same = std::ranges::equal(view.shape, shape, [](std::int64_t has, std::size_t wanted) {
    return has > 0 && (wanted == 0 || has == static_cast<std::int64_t>(wanted));
  });
  if (same) return view;
  std::vector<std::string> wanted;
  for (const std::size_t size : shape) wanted.push_back(size == 0 ? "any" : std::to_string(size));
  throw InputError(file_of(tensor),
                   fmt::format("tensor '{}' is [{}]", tensor, fmt::join(view.shape, ", ")),
                   fmt::format("[{}]", fmt::join(wanted, ", ")));
}

const fs::path& SourceFolder::file_of(const std::string& tensor) const {
  const auto found = tensors_.find(tensor);
  return paths_[found == tensors_.end() ? 0 : found->second.second];
}

std::size_t SourceFolder::count(std::string_view prefix, std::string_view suffix) const {
  std::size_t number = 0;
  while (has(fmt::format("{}{}{}", prefix, number, suffix))) ++number;
  return number;
}

std::optional<JsonNode> read_json(const fs::path& folder, const std::string& name) {
  if (!fs::is_regular_file(folder / name)) return std::nullopt;
  return JsonNode::read(folder / name, kMostJson);
}

std::size_t size_or(const JsonNode& node, std::string_view key, std::size_t otherwise) {
  const auto value = value_of(node, key);
  return value ? static_cast<std::size_t>(value->integer(1, kLargestNumber)) : otherwise;
}

double number_or(const JsonNode& node, std::string_view key, double otherwise) {
  const auto value = value_of(node, key);
  return value ? value->number(-1e30, 1e30) : otherwise;
}

std::string string_or(const JsonNode& node, std::string_view key, std::string_view otherwise) {
  const auto value = value_of(node, key);
  return value ? value->string() : std::string(otherwise);
}

bool flag_or(const JsonNode& node, std::string_view key, bool otherwise) {
  const auto value = value_of(node, key);
  return value ? value->boolean() : otherwise;
}

}  // namespace hinny

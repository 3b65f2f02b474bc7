// A folder of a pretrained model as people have it: its JSON files, and tensors in one
// safetensors file or several.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/safetensors.h"
#include "model/json_node.h"

namespace hinny {

// Nothing in it is trusted: sizes and names are checked before memory is taken. Keeps its files
// mapped; what it returns lives as long as the object.
class SourceFolder {
 public:
  // Opens `weights` of the folder, or, where that is not there, the files that `weights`.index.json
  // names. Throws InputError where neither is, which says how to convert pickled weights if there
  // are such.
  SourceFolder(const std::filesystem::path& folder, const std::string& weights);

  const std::filesystem::path& path() const { return folder_; }
  bool has(const std::string& tensor) const { return tensors_.contains(tensor); }
  // Throws InputError naming the tensor that is missing, one of no float type, or another shape (0:
  // any).
  const TensorView& at(const std::string& tensor) const;
  const TensorView& at(const std::string& tensor, const std::vector<std::size_t>& shape) const;
  // The file that a tensor stands in, for messages.
  const std::filesystem::path& file_of(const std::string& tensor) const;
  // How many of the names PREFIX0SUFFIX, PREFIX1SUFFIX, ... are there.
  std::size_t count(std::string_view prefix, std::string_view suffix) const;

 private:
  void open(const std::filesystem::path& file);
  void open_shards(const std::filesystem::path& index);
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> paths_;
  std::vector<SafetensorsFile> files_;
  std::map<std::string, std::pair<const TensorView*, std::size_t>> tensors_;  // and its file
};

// NAME of a folder, or nothing where it is not there. Throws InputError where it is no JSON.
std::optional<JsonNode> read_json(const std::filesystem::path& folder, const std::string& name);

// Throws InputError where the folder has both towers as ONNX networks, as photo servers and
// browsers take them: what to take instead.
void refuse_networks_alone(const std::filesystem::path& folder);

// A key's value, or what the family's own configuration has without it.
std::size_t size_or(const JsonNode& node, std::string_view key, std::size_t otherwise);
double number_or(const JsonNode& node, std::string_view key, double otherwise);
std::string string_or(const JsonNode& node, std::string_view key, std::string_view otherwise);
bool flag_or(const JsonNode& node, std::string_view key, bool otherwise);

}  // namespace hinny

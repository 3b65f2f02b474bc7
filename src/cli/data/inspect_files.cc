#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/npy.h"
#include "base/safetensors.h"
#include "base/safetensors_header.h"
#include "base/text_file.h"
#include "cli/data/inspect_kinds.h"
#include "text/vec_lines.h"
#include "text/vocabulary.h"

namespace hinny {
namespace fs = std::filesystem;
using nlohmann::ordered_json;

ordered_json inspect_npy(const fs::path& path) {
  const NpyArray array = NpyArray::open(path);
  ordered_json result = {{"kind", "numpy array"},
                         {"type", array.type() == NpyType::float16 ? "float16" : "float32"},
                         {"shape", array.shape()}};
  if (const std::int64_t row = array.first_bad_row(); row >= 0) {
    result["first row with NaN or infinity"] = row;
  }
  return result;
}

ordered_json inspect_safetensors(const fs::path& path) {
  const auto file = SafetensorsFile::open(path);
  std::int64_t numbers = 0;
  ordered_json tensors = ordered_json::object();
  for (const auto& [name, view] : file.tensors()) {
    numbers += view.size();
    tensors[name] =
        fmt::format("{} [{}]", safetensors_name(view.type), fmt::join(view.shape, ", "));
  }
  ordered_json result = {{"kind", "safetensors"}, {"numbers", numbers}, {"tensors", tensors}};
  if (!file.metadata().empty()) result["metadata"] = file.metadata();
  return result;
}

ordered_json inspect_word_vectors(const fs::path& path) {
  std::int64_t words = 0;
  std::size_t numbers = 0;
  for_each_vec_line(path, Encoding::any, [&](const VecLine&, std::size_t dim) {
    ++words;
    numbers = dim;
  });
  return {{"kind", "word vectors"}, {"words", words}, {"dim", numbers}};
}

ordered_json inspect_vocabulary(const fs::path& path) {
  ordered_json words = ordered_json::object();
  for (const auto& [name, vocabulary] : read_vocabularies(path)) {
    words[name] = vocabulary.size() - kFirstWord;
  }
  return {{"kind", "vocabulary"}, {"words", words}};
}

ordered_json inspect_toml(const fs::path& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  try {
    const toml::table table = toml::parse(read_text(path, kMostBytes));
    ordered_json result = {{"kind", table.contains("system") ? "recipe" : "TOML"}};
    if (const auto system = table["system"].value<std::string>()) result["system"] = *system;
    ordered_json sections = ordered_json::object();
    for (const auto& [name, value] : table) {
      if (!value.is_table()) continue;
      std::vector<std::string> keys;
      for (const auto& item : *value.as_table()) keys.emplace_back(item.first.str());
      sections[std::string(name.str())] = keys;
    }
    result["sections"] = sections;
    return result;
  } catch (const toml::parse_error& error) {
    throw InputError(path, error.source().begin.line, error.description(), "TOML");
  }
}

}  // namespace hinny

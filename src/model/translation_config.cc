#include "model/translation_config.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "model/json_node.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTranslationBytes = std::uint64_t{1} << 20U;
constexpr std::int64_t kLargestLayer = 1 << 16U;
constexpr std::int64_t kMostWords = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostWeights = std::numeric_limits<std::int64_t>::max();

JsonNode read_root(const fs::path& path) {
  JsonNode root = JsonNode::read(path, kMostTranslationBytes);
  root.at("format").integer(1, 1);
  return root;
}

TranslationSizes read_sizes(const JsonNode& net) {
  net.only({"vocabulary", "embedding", "hidden", "decoder_layers", "region_size"});
  const auto size = [&](const char* key, std::int64_t least, std::int64_t most) {
    return static_cast<std::size_t>(net.at(key).integer(least, most));
  };
  TranslationSizes sizes;
  sizes.vocabulary = size("vocabulary", 1, kMostWords);
  sizes.embedding = size("embedding", 1, kLargestLayer);
  sizes.hidden = size("hidden", 1, kLargestLayer);
  if (sizes.hidden % 2 != 0) net.at("hidden").refuse("is odd", "an even number");
  if (net.find("decoder_layers")) sizes.decoder_layers = size("decoder_layers", 1, 2);
  sizes.region_size = size("region_size", 0, kLargestLayer);
  return sizes;
}

}  // namespace

bool is_translation_config(const fs::path& path) {
  return read_root(path).find("directions").has_value();
}

TranslationConfig read_translation_config(const fs::path& path) {
  const JsonNode root = read_root(path);
  TranslationConfig config;
  config.directions = root.at("directions").strings();
  root.only({"format", "system", "languages", "directions", "net", "parameters"});
  config.system = root.at("system").string();
  config.languages = root.at("languages").strings();
  config.net = read_sizes(root.at("net"));
  const JsonNode parameters = root.at("parameters");
  parameters.only({"train", "search"});
  config.train_parameters = parameters.at("train").integer(0, kMostWeights);
  config.search_parameters = parameters.at("search").integer(0, kMostWeights);
  return config;
}

void write_translation_config(const fs::path& path, const TranslationConfig& config) {
  const nlohmann::json root = {
      {"format", 1},
      {"system", config.system},
      {"languages", config.languages},
      {"directions", config.directions},
      {"net",
       {{"vocabulary", config.net.vocabulary},
        {"embedding", config.net.embedding},
        {"hidden", config.net.hidden},
        {"decoder_layers", config.net.decoder_layers},
        {"region_size", config.net.region_size}}},
      {"parameters", {{"train", config.train_parameters}, {"search", config.search_parameters}}}};
  write_file(path, root.dump(2) + "\n");
}

}  // namespace hinny

#include "model/transformer_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hinny {
namespace {

// Far above any model that a processor can use; products of two of them fit in 64 bits.
constexpr std::int64_t kWidest = 1 << 14, kMostLayers = 256, kLongest = 1 << 16;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 21;
constexpr std::int64_t kLargestSide = 4096;

std::size_t count_of(const JsonNode& node, std::string_view key, std::int64_t least,
                     std::int64_t most) {
  return static_cast<std::size_t>(node.at(key).integer(least, most));
}

void read_picture_sizes(const JsonNode& node, TransformerSpec& spec) {
  spec.side = count_of(node, "side", 1, kLargestSide);
  spec.patch = count_of(node, "patch", 1, kLargestSide);
  spec.extra = count_of(node, "extra", 0, 64);
  const std::size_t across = spec.side / spec.patch;
  if (spec.side % spec.patch == 0 && spec.positions == across * across + spec.extra) return;
  node.refuse(fmt::format("has {} positions", spec.positions),
              fmt::format("{}: squares of {} in {} x {} and {} more", across * across + spec.extra,
                          spec.patch, spec.side, spec.side, spec.extra));
}

}  // namespace

TransformerSpec read_transformer(const JsonNode& node) {
  node.only({"width", "layers", "heads", "hidden", "norm_first", "embedding_norm", "final_norm",
             "causal", "epsilon", "activation", "pooling", "positions", "vocabulary", "padded",
             "side", "patch", "extra"});
  TransformerSpec spec;
  spec.width = count_of(node, "width", 1, kWidest);
  spec.layers = count_of(node, "layers", 1, kMostLayers);
  spec.heads = count_of(node, "heads", 1, kWidest);
  spec.hidden = count_of(node, "hidden", 1, 4 * kWidest);
  spec.norm_first = node.at("norm_first").boolean();
  spec.embedding_norm = node.at("embedding_norm").boolean();
  spec.final_norm = node.at("final_norm").boolean();
  spec.causal = node.at("causal").boolean();
  spec.epsilon = node.at("epsilon").number(1e-12, 1);
  spec.activation = node.at("activation").choice<Activation>();
  spec.pooling = node.at("pooling").choice<TokenPooling>();
  spec.positions = count_of(node, "positions", 1, kLongest);
  if (spec.width % spec.heads != 0) {
    node.at("heads").refuse(fmt::format("is {}", spec.heads),
                            fmt::format("a number that divides {}, the width", spec.width));
  }
  if (const auto tokens = node.find("vocabulary")) {
    spec.vocabulary = static_cast<std::size_t>(tokens->integer(1, kMostTokens));
    spec.padded = node.at("padded").boolean();
  } else {
    read_picture_sizes(node, spec);
  }
  return spec;
}

nlohmann::json as_json(const TransformerSpec& spec) {
  nlohmann::json entry = {{"width", spec.width},
                          {"layers", spec.layers},
                          {"heads", spec.heads},
                          {"hidden", spec.hidden},
                          {"norm_first", spec.norm_first},
                          {"embedding_norm", spec.embedding_norm},
                          {"final_norm", spec.final_norm},
                          {"causal", spec.causal},
                          {"epsilon", spec.epsilon},
                          {"activation", name_of(spec.activation)},
                          {"pooling", name_of(spec.pooling)},
                          {"positions", spec.positions}};
  if (spec.sees_pictures()) {
    entry["side"] = spec.side;
    entry["patch"] = spec.patch;
    entry["extra"] = spec.extra;
  } else {
    entry["vocabulary"] = spec.vocabulary;
    entry["padded"] = spec.padded;
  }
  return entry;
}

}  // namespace hinny

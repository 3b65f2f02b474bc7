#include "encoder/pooling.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "encoder/layers.h"

namespace hinny {
namespace {

using Rows = std::vector<float>;

// tanh of a layer's rows.
Rows squashed(const Weights& weights, const std::string& prefix, Rows rows, std::size_t count) {
  rows = apply_layers(weights, {{LayerKind::linear, prefix, 0}}, std::move(rows), count);
  for (float& number : rows) number = std::tanh(number);
  return rows;
}

// One group's scores, in place.
void softmax(std::span<float> scores) {
  const float most = *std::ranges::max_element(scores);
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

// Each group's rows, weighted and added: [groups, size].
Rows weighted(std::span<const float> rows, const Rows& weights, std::size_t groups) {
  if (groups == 0) return {};
  const std::size_t size = rows.size() / weights.size(), each = weights.size() / groups;
  Rows sums(groups * size);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    float* sum = sums.data() + row / each * size;
    for (std::size_t i = 0; i < size; ++i) sum[i] += weights[row] * rows[row * size + i];
  }
  return sums;
}

Rows evenly(std::size_t groups, std::size_t each) {
  return Rows(groups * each, 1 / static_cast<float>(each));
}

// Huang et al. 2020, Eq. 7, as SAN is trained.
Pooled by_context(const Weights& weights, const std::string& prefix, std::span<const float> rows,
                  std::size_t groups, std::size_t each) {
  const auto given = weights.numbers(prefix + ".context");
  Rows context = squashed(weights, prefix + ".of_context", Rows(given.begin(), given.end()), 1);
  const float scale = weights.numbers(prefix + ".scale").front();
  for (float& number : context) number *= scale;
  const Rows items =
      squashed(weights, prefix + ".of_items", Rows(rows.begin(), rows.end()), groups * each);
  Pooled result{{}, Rows(groups * each)};
  for (std::size_t row = 0; row < result.attention.size(); ++row) {
    for (std::size_t i = 0; i < context.size(); ++i) {
      result.attention[row] += items[row * context.size() + i] * context[i];
    }
  }
  for (std::size_t group = 0; group < groups; ++group) {
    softmax(std::span(result.attention).subspan(group * each, each));
  }
  result.rows = weighted(rows, result.attention, groups);
  return result;
}

// One hop of DAN: what `memory` [groups, size] looks at.
Rows hop_attention(const Weights& weights, const std::string& prefix, std::span<const float> rows,
                   const Rows& memory, std::size_t groups, std::size_t each) {
  const std::size_t size = memory.size() / groups;
  Rows hidden =
      squashed(weights, prefix + ".of_items", Rows(rows.begin(), rows.end()), groups * each);
  const Rows gate = squashed(weights, prefix + ".of_memory", memory, groups);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] *= gate[i / (each * size) * size + i % size];
  }
  Rows scores = apply_layers(weights, {{LayerKind::linear, prefix + ".score", 0}},
                             std::move(hidden), groups * each);
  for (std::size_t group = 0; group < groups; ++group) {
    softmax(std::span(scores).subspan(group * each, each));
  }
  return scores;
}

// Nam et al. 2017, as DAN is trained: the first memory and what each hop saw, side by side.
Pooled by_memory(const Weights& weights, const LayerSpec& layer, std::span<const float> rows,
                 std::size_t groups, std::size_t each) {
  const std::size_t size = rows.size() / (groups * each), parts = 1 + layer.hops;
  Pooled result{Rows(groups * parts * size), Rows(groups * each)};
  const auto keep = [&](const Rows& seen, std::size_t part) {
    for (std::size_t group = 0; group < groups; ++group) {
      std::copy_n(seen.begin() + static_cast<std::ptrdiff_t>(group * size), size,
                  result.rows.begin() + static_cast<std::ptrdiff_t>((group * parts + part) * size));
    }
  };
  const auto passed = [&](const std::string& name, Rows seen) {
    return layer.seen ? squashed(weights, layer.prefix + name, std::move(seen), groups) : seen;
  };
  Rows memory = passed("_first", weighted(rows, evenly(groups, each), groups));
  keep(memory, 0);
  for (std::size_t hop = 0; hop < layer.hops; ++hop) {
    const std::string number = std::to_string(hop);
    const Rows attention =
        hop_attention(weights, layer.prefix + number, rows, memory, groups, each);
    const Rows seen = passed(number + ".seen", weighted(rows, attention, groups));
    keep(seen, hop + 1);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] += seen[i];
    for (std::size_t i = 0; i < attention.size(); ++i) {
      result.attention[i] += attention[i] / static_cast<float>(layer.hops);
    }
  }
  return result;
}

// A layer's tensors, and their shapes where rows have `input` numbers.
std::vector<std::pair<std::string, std::vector<std::size_t>>> tensors_of(const LayerSpec& layer,
                                                                         std::size_t input) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> tensors;
  const auto add_linear = [&](const std::string& prefix, std::size_t output) {
    tensors.push_back({prefix + ".weight", {output, input}});
    tensors.push_back({prefix + ".bias", {output}});
  };
  if (layer.kind == LayerKind::context) {
    tensors.push_back({layer.prefix + ".context", {1, input}});
    tensors.push_back({layer.prefix + ".scale", {1}});
    add_linear(layer.prefix + ".of_context", input);
    add_linear(layer.prefix + ".of_items", input);
  }
  if (layer.seen) add_linear(layer.prefix + "_first", input);
  for (std::size_t hop = 0; layer.kind == LayerKind::memory && hop < layer.hops; ++hop) {
    const std::string prefix = layer.prefix + std::to_string(hop);
    add_linear(prefix + ".of_items", input);
    add_linear(prefix + ".of_memory", input);
    add_linear(prefix + ".score", 1);
    if (layer.seen) add_linear(prefix + ".seen", input);
  }
  return tensors;
}

}  // namespace

bool pools(const LayerSpec& layer) {
  return layer.kind == LayerKind::mean || layer.kind == LayerKind::context ||
         layer.kind == LayerKind::memory;
}

std::size_t check_pooling(const Weights& weights, const LayerSpec& layer, std::size_t input) {
  for (const auto& [name, shape] : tensors_of(layer, input)) weights.check(name, shape);
  return layer.kind == LayerKind::memory ? (1 + layer.hops) * input : input;
}

std::vector<std::string> pooling_tensors(const LayerSpec& layer) {
  std::vector<std::string> names;
  for (const auto& [name, shape] : tensors_of(layer, 1)) names.push_back(name);
  return names;
}

Pooled pool(const Weights& weights, const LayerSpec& layer, std::span<const float> rows,
            std::size_t groups, std::size_t each) {
  if (layer.kind == LayerKind::context)
    return by_context(weights, layer.prefix, rows, groups, each);
  if (layer.kind == LayerKind::memory) return by_memory(weights, layer, rows, groups, each);
  const std::vector<float> even = evenly(groups, each);
  return {weighted(rows, even, groups), even};
}

}  // namespace hinny

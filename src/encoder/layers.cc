#include "encoder/layers.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/threads.h"
#include "encoder/gates.h"
#include "encoder/pooling.h"
#include "tensors/matrix.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

constexpr float kBatchNormEpsilon = 1e-5F;
constexpr float kLeastLength = 1e-12F;

std::vector<float> linear(const Weights& weights, const std::string& prefix,
                          const std::vector<float>& rows, std::size_t count) {
  const std::span<const float> bias = weights.numbers(prefix + ".bias");
  std::vector<float> result(count * bias.size());
  const Matrix weight = weights.matrix(prefix + ".weight");
  const auto some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t first = begin; first < end; first += kFewRows) {
      multiply(weight, rows.data() + first * weight.columns, std::min(kFewRows, end - first),
               result.data() + first * weight.rows);
    }
  };
  if (count <= kFewRows) {
    some(0, count);
  } else {
    parallel_blocks(count, some);
  }
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += bias[i % bias.size()];
  return result;
}

void batch_norm(const Weights& weights, const std::string& prefix, std::span<float> rows) {
  const std::span<const float> weight = weights.numbers(prefix + ".weight");
  const std::span<const float> bias = weights.numbers(prefix + ".bias");
  const std::span<const float> mean = weights.numbers(prefix + ".running_mean");
  const std::span<const float> variance = weights.numbers(prefix + ".running_var");
  for (std::size_t column = 0; column < weight.size(); ++column) {
    const float scale = weight[column] / std::sqrt(variance[column] + kBatchNormEpsilon);
    for (std::size_t i = column; i < rows.size(); i += weight.size()) {
      rows[i] = (rows[i] - mean[column]) * scale + bias[column];
    }
  }
}

void to_unit_length(std::span<float> row) {
  double squares = 0;
  for (const float number : row) squares += static_cast<double>(number) * number;
  const float length = std::max(static_cast<float>(std::sqrt(squares)), kLeastLength);
  for (float& number : row) number /= length;
}

}  // namespace

std::size_t check_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                         std::size_t input) {
  std::size_t size = input;
  for (const LayerSpec& layer : layers) {
    if (layer.kind == LayerKind::linear) {
      const std::size_t output = weights.rows(layer.prefix + ".weight");
      weights.check(layer.prefix + ".weight", {output, size});
      weights.check(layer.prefix + ".bias", {output});
      size = output;
    } else if (layer.kind == LayerKind::batch_norm) {
      for (const char* name : {".weight", ".bias", ".running_mean", ".running_var"}) {
        weights.check(layer.prefix + name, {size});
      }
    } else if (pools(layer)) {
      size = check_pooling(weights, layer, size);
    }
  }
  return size;
}

std::vector<float> apply_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                                std::vector<float> rows, std::size_t count, std::size_t each,
                                PooledItems* pooled) {
  if (count == 0) return {};
  for (const LayerSpec& layer : layers) {
    const std::size_t size = rows.size() / count;
    switch (layer.kind) {
      case LayerKind::linear:
        rows = linear(weights, layer.prefix, rows, count);
        break;
      case LayerKind::batch_norm:
        batch_norm(weights, layer.prefix, rows);
        break;
      case LayerKind::relu:
        for (float& number : rows) number = number < 0 ? 0 : number;  // a NaN stays one
        break;
      case LayerKind::gelu:
        activate(Activation::gelu, rows.data(), rows.size());
        break;
      case LayerKind::tanh:
        tanh_each(rows.data(), rows.size());
        break;
      case LayerKind::l2:
        for (std::size_t row = 0; row < count; ++row) {
          to_unit_length(std::span(rows).subspan(row * size, size));
        }
        break;
      case LayerKind::abs:
        for (float& number : rows) number = std::abs(number);
        break;
      case LayerKind::mean:
      case LayerKind::context:
      case LayerKind::memory:
        count /= each;
        Pooled groups = pool(weights, layer, rows, count, each);
        if (pooled != nullptr) *pooled = {std::move(rows), std::move(groups.attention)};
        rows = std::move(groups.rows);
        break;
    }
  }
  return rows;
}

}  // namespace hinny

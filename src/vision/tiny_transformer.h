// A vision transformer of one block, as exporters of PyTorch write one (attention of two heads,
// layer norms, GELU by erf), and the same in plain loops to compare with. For tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "vision/onnx_bytes.h"

namespace hinny {

class TinyTransformer {
 public:
  static constexpr int kSide = 6;   // of a picture
  static constexpr int kPatch = 2;  // of a patch; each becomes one of kTokens
  static constexpr int kTokens = 9;
  static constexpr int kDim = 4;
  static constexpr int kHeads = 2;
  static constexpr int kHidden = 8;
  static constexpr int kOut = 3;

  enum class LayerNorm { decomposed, whole };  // whole: one operator, opset 17

  // "image" [N, 3, 6, 6] -> "features" [N, 3]. batch 0: N is left open.
  static std::string onnx(LayerNorm norm, int batch = 0);

  // `image` is [3, 6, 6].
  static std::vector<float> plain(const std::vector<float>& image);

 private:
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;

  // Some numbers without a pattern, of the size that makes softmax and GELU matter.
  static std::vector<float> numbers(int seed, int count, double centre = 0) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) {
      values.push_back(static_cast<float>(centre + 0.9 * std::sin(seed * 3.1 + i * 1.7)));
    }
    return values;
  }
  static std::vector<float> weights_of(const std::string& name, int count) {
    int seed = 0;
    for (const char c : name) seed = seed * 7 % 1000 + c;
    return numbers(seed, count, name.ends_with("gamma") ? 1 : 0);
  }

  class Builder;
  static Row times(const Row& row, const std::string& name, int out);
  static Row normalised(const Row& row, const std::string& name);
  static Rows attended(const Rows& tokens);
};

class TinyTransformer::Builder {
 public:
  Builder(LayerNorm norm, OnnxGraph& graph) : norm_(norm), graph_(graph) {}

  std::string weights(const std::string& name, const OnnxGraph::Ints& sizes) {
    int count = 1;
    for (const std::int64_t size : sizes) count *= static_cast<int>(size);
    return graph_.weights(name, sizes, weights_of(name, count));
  }
  std::string scalar(const std::string& name, float value) {
    return graph_.weights(name + std::to_string(++scalars_), {}, {value});
  }
  std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& attributes = {}) {
    return graph_.node(operation, inputs, attributes);
  }
  // rows [N, tokens, in] times a matrix, and its bias
  std::string linear(const std::string& rows, const std::string& name, int in, int out) {
    const std::string product = node("MatMul", {rows, weights(name, {in, out})});
    return node("Add", {product, weights(name + "_bias", {out})});
  }
  std::string layer_norm(const std::string& rows, const std::string& name) {
    const std::string gamma = weights(name + "_gamma", {kDim});
    const std::string beta = weights(name + "_beta", {kDim});
    if (norm_ == LayerNorm::whole) {
      return node("LayerNormalization", {rows, gamma, beta},
                  {OnnxGraph::integer("axis", -1), OnnxGraph::number("epsilon", 1e-5F)});
    }
    const std::string last = OnnxGraph::ints("axes", {-1});
    const std::string centred = node("Sub", {rows, node("ReduceMean", {rows}, {last})});
    const std::string squares = node("Pow", {centred, scalar("two", 2)});
    const std::string variance = node("ReduceMean", {squares}, {last});
    const std::string deviation = node("Sqrt", {node("Add", {variance, scalar("eps", 1e-5F)})});
    const std::string scaled = node("Div", {centred, deviation});
    return node("Add", {node("Mul", {scaled, gamma}), beta});
  }
  std::string gelu(const std::string& rows) {
    const std::string erf = node("Erf", {node("Div", {rows, scalar("root", std::sqrt(2.0F))})});
    const std::string product = node("Mul", {rows, node("Add", {erf, scalar("one", 1)})});
    return node("Mul", {product, scalar("half", 0.5F)});
  }
  // [N, tokens, dim] -> [N, heads, ...]
  std::string heads(const std::string& rows, const std::string& name, OnnxGraph::Ints order) {
    const std::string sizes = graph_.integers(name + "_heads", {0, kTokens, kHeads, kDim / kHeads});
    const std::string split = node("Reshape", {linear(rows, name, kDim, kDim), sizes});
    return node("Transpose", {split}, {OnnxGraph::ints("perm", order)});
  }
  std::string attention(const std::string& rows) {
    const std::string queries = heads(rows, "query", {0, 2, 1, 3});
    const std::string keys = heads(rows, "key", {0, 2, 3, 1});
    const std::string values = heads(rows, "value", {0, 2, 1, 3});
    const std::string scaled = node(
        "Div", {node("MatMul", {queries, keys}), scalar("scale", std::sqrt(1.0F * kDim / kHeads))});
    const std::string shares = node("Softmax", {scaled}, {OnnxGraph::integer("axis", -1)});
    const std::string mixed = node("Transpose", {node("MatMul", {shares, values})},
                                   {OnnxGraph::ints("perm", {0, 2, 1, 3})});
    const std::string sizes = graph_.integers("joined", {0, kTokens, kDim});
    return linear(node("Reshape", {mixed, sizes}), "mix", kDim, kDim);
  }

 private:
  LayerNorm norm_;
  OnnxGraph& graph_;
  int scalars_ = 0;
};

inline std::string TinyTransformer::onnx(LayerNorm norm, int batch) {
  OnnxGraph graph;
  Builder make(norm, graph);
  graph.input("image", {batch, 3, kSide, kSide});
  const std::string patches =
      graph.node("Conv", {"image", make.weights("patch", {kDim, 3, kPatch, kPatch})},
                 {OnnxGraph::ints("kernel_shape", {kPatch, kPatch}),
                  OnnxGraph::ints("strides", {kPatch, kPatch})});
  const std::string flat =
      graph.node("Reshape", {patches, graph.integers("flat", {0, kDim, kTokens})});
  std::string rows = graph.node("Transpose", {flat}, {OnnxGraph::ints("perm", {0, 2, 1})});
  rows = graph.node("Add", {rows, make.weights("place", {1, kTokens, kDim})});
  rows = graph.node("Add", {rows, make.attention(make.layer_norm(rows, "first"))});
  const std::string hidden =
      make.gelu(make.linear(make.layer_norm(rows, "second"), "up", kDim, kHidden));
  rows = graph.node("Add", {rows, make.linear(hidden, "down", kHidden, kDim)});
  rows = make.layer_norm(rows, "last");
  const std::string mean = graph.node(
      "ReduceMean", {rows}, {OnnxGraph::ints("axes", {1}), OnnxGraph::integer("keepdims", 0)});
  graph.node("MatMul", {mean, make.weights("project", {kDim, kOut})}, {}, "features");
  graph.output("features", {batch, kOut});
  return graph.model(norm == LayerNorm::whole ? 17 : 11);
}

inline TinyTransformer::Row TinyTransformer::times(const Row& row, const std::string& name,
                                                   int out) {
  const std::vector<float> matrix = weights_of(name, static_cast<int>(row.size()) * out);
  Row result(static_cast<std::size_t>(out));
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < result.size(); ++j) {
      result[j] += row[i] * static_cast<double>(matrix[i * result.size() + j]);
    }
  }
  if (name == "project") return result;
  const std::vector<float> bias = weights_of(name + "_bias", out);
  for (std::size_t j = 0; j < result.size(); ++j) result[j] += static_cast<double>(bias[j]);
  return result;
}

inline TinyTransformer::Row TinyTransformer::normalised(const Row& row, const std::string& name) {
  const std::vector<float> gamma = weights_of(name + "_gamma", kDim);
  const std::vector<float> beta = weights_of(name + "_beta", kDim);
  double mean = 0;
  for (const double value : row) mean += value / kDim;
  double variance = 0;
  for (const double value : row) variance += (value - mean) * (value - mean) / kDim;
  Row result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    result.push_back((row[i] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(gamma[i]) +
                     static_cast<double>(beta[i]));
  }
  return result;
}

inline TinyTransformer::Rows TinyTransformer::attended(const Rows& tokens) {
  Rows queries, keys, values, result;
  for (const Row& token : tokens) {
    queries.push_back(times(token, "query", kDim));
    keys.push_back(times(token, "key", kDim));
    values.push_back(times(token, "value", kDim));
  }
  constexpr std::size_t kEach = kDim / kHeads;
  for (const Row& query : queries) {
    Row mixed(kDim);
    for (std::size_t first = 0; first < kDim; first += kEach) {
      Row shares;
      double sum = 0;
      for (const Row& key : keys) {
        double product = 0;
        for (std::size_t i = first; i < first + kEach; ++i) product += query[i] * key[i];
        shares.push_back(std::exp(product / std::sqrt(kEach * 1.0)));
        sum += shares.back();
      }
      for (std::size_t token = 0; token < tokens.size(); ++token) {
        for (std::size_t i = first; i < first + kEach; ++i) {
          mixed[i] += shares[token] / sum * values[token][i];
        }
      }
    }
    result.push_back(times(mixed, "mix", kDim));
  }
  return result;
}

inline std::vector<float> TinyTransformer::plain(const std::vector<float>& image) {
  const std::vector<float> kernel = weights_of("patch", kDim * 3 * kPatch * kPatch);
  const std::vector<float> place = weights_of("place", kTokens * kDim);
  const auto at = [](const std::vector<float>& values, int index) {
    return static_cast<double>(values[static_cast<std::size_t>(index)]);
  };
  Rows rows;
  for (int token = 0; token < kTokens; ++token) {
    const int top = token / 3 * kPatch, left = token % 3 * kPatch;
    Row row;
    for (int d = 0; d < kDim; ++d) {
      row.push_back(at(place, token * kDim + d));
      for (int k = 0; k < 3 * kPatch * kPatch; ++k) {
        const int channel = k / 4, y = top + k / 2 % 2, x = left + k % 2;
        row.back() +=
            at(kernel, d * 3 * kPatch * kPatch + k) * at(image, (channel * kSide + y) * kSide + x);
      }
    }
    rows.push_back(row);
  }
  Rows normal;
  for (const Row& row : rows) normal.push_back(normalised(row, "first"));
  const Rows attention = attended(normal);
  Row mean(kDim);
  for (std::size_t token = 0; token < rows.size(); ++token) {
    Row& row = rows[token];
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += attention[token][i];
    Row hidden = times(normalised(row, "second"), "up", kHidden);
    for (double& value : hidden) value *= 0.5 * (1 + std::erf(value / std::sqrt(2.0)));
    const Row more = times(hidden, "down", kDim);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += more[i];
    const Row last = normalised(row, "last");
    for (std::size_t i = 0; i < row.size(); ++i) mean[i] += last[i] / kTokens;
  }
  std::vector<float> result;
  for (const double value : times(mean, "project", kOut)) {
    result.push_back(static_cast<float>(value));
  }
  return result;
}

}  // namespace hinny

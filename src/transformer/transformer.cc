#include "transformer/transformer.h"

#include <fmt/format.h>

#include <algorithm>

#include "transformer/attention.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

std::string block_name(const std::string& prefix, std::size_t number) {
  return fmt::format("{}.layers.{}", prefix, number);
}

bool pools_one_token(const TransformerSpec& spec) {
  return spec.pooling == TokenPooling::first || spec.pooling == TokenPooling::last;
}

}  // namespace

// What one call needs, layer after layer.
struct Transformer::Memory {
  std::vector<float> normed, products, seen, inner, scratch;
};

void check_transformer(const Weights& weights, const std::string& prefix,
                       const TransformerSpec& spec, const CheckDenseLayer& check_layer) {
  const std::size_t width = spec.width;
  const auto norm = [&](const std::string& name) {
    weights.check(name + ".weight", {width});
    weights.check(name + ".bias", {width});
  };
  const auto layer = [&](const std::string& name, std::size_t out, std::size_t in) {
    check_layer(weights, name, out, in);
  };
  for (std::size_t i = 0; i < spec.layers; ++i) {
    const std::string block = block_name(prefix, i);
    norm(block + ".attention_norm");
    layer(block + ".query_key_value", 3 * width, width);
    layer(block + ".attention_out", width, width);
    norm(block + ".mlp_norm");
    layer(block + ".mlp_in", spec.mlp_rows(), width);
    layer(block + ".mlp_out", width, spec.hidden);
  }
  if (spec.embedding_norm) norm(prefix + ".embedding_norm");
  if (spec.final_norm) norm(prefix + ".final_norm");
  if (spec.pooling != TokenPooling::attention) return;
  const std::string head = prefix + ".head";
  weights.check(head + ".query", {width});
  layer(head + ".key_value", 2 * width, width);
  layer(head + ".attention_out", width, width);
  norm(head + ".norm");
  layer(head + ".mlp_in", spec.hidden, width);
  layer(head + ".mlp_out", width, spec.hidden);
}

Transformer::Transformer(const Weights& weights, const std::string& prefix,
                         const TransformerSpec& spec, const MakeDenseLayer& make)
    : spec_(spec) {
  const auto norm = [&](const std::string& name) {
    return Norm{weights.numbers(name + ".weight"), weights.numbers(name + ".bias")};
  };
  for (std::size_t i = 0; i < spec.layers; ++i) {
    const std::string block = block_name(prefix, i);
    blocks_.push_back({norm(block + ".attention_norm"), norm(block + ".mlp_norm"),
                       make(weights, block + ".query_key_value"),
                       make(weights, block + ".attention_out"), make(weights, block + ".mlp_in"),
                       make(weights, block + ".mlp_out")});
  }
  if (spec.embedding_norm) embedding_norm_ = norm(prefix + ".embedding_norm");
  if (spec.final_norm) final_norm_ = norm(prefix + ".final_norm");
  if (spec.pooling != TokenPooling::attention) return;
  const std::string head = prefix + ".head";
  head_ = {weights.numbers(head + ".query"),       make(weights, head + ".key_value"),
           make(weights, head + ".attention_out"), make(weights, head + ".mlp_in"),
           make(weights, head + ".mlp_out"),       norm(head + ".norm")};
}

void Transformer::apply(const Norm& norm, const std::vector<float>& x, std::size_t rows,
                        std::vector<float>& out) const {
  out.resize(rows * spec_.width);
  layer_norm(norm.weight, norm.bias, spec_.epsilon, x.data(), rows, out.data());
}

void Transformer::add_mlp(const DenseLayer& in, const DenseLayer& out,
                          const std::vector<float>& from, std::size_t rows, std::vector<float>& x,
                          Memory& memory) const {
  memory.inner.resize(rows * in.outputs());
  in.apply(from.data(), rows, memory.inner.data());
  if (spec_.activation == Activation::swiglu) {
    swiglu(memory.inner.data(), rows, spec_.hidden, memory.inner.data());
  } else {
    activate(spec_.activation, memory.inner.data(), memory.inner.size());
  }
  memory.products.resize(rows * spec_.width);
  out.apply(memory.inner.data(), rows, memory.products.data());
  add_numbers(memory.products.data(), rows * spec_.width, x.data());
}

// `pools_one`: of what comes out, one row of a sequence is wanted, so all but keys and values is
// computed for that alone.
void Transformer::run_block(const Block& block, std::size_t sequences, std::size_t length,
                            bool pools_one, std::vector<float>& x, Memory& memory) const {
  const std::size_t width = spec_.width, all = sequences * length;
  if (spec_.norm_first) {
    apply(block.attention_norm, x, all, memory.normed);
  } else {
    memory.normed = x;
  }
  memory.inner.resize(all * 3 * width);
  block.query_key_value->apply(memory.normed.data(), all, memory.inner.data());

  const std::size_t wanted = pools_one ? 1 : length;
  const std::size_t first = pools_one && spec_.pooling == TokenPooling::last ? length - 1 : 0;
  const std::size_t rows = sequences * wanted;
  memory.seen.resize(rows * width);
  for (std::size_t i = 0; i < sequences; ++i) {
    const float* const sequence = memory.inner.data() + i * length * 3 * width;
    const AttentionInput input{.width = width,
                               .heads = spec_.heads,
                               .queries = sequence + first * 3 * width,
                               .query_stride = 3 * width,
                               .query_count = wanted,
                               .keys = sequence + width,
                               .values = sequence + 2 * width,
                               .stride = 3 * width,
                               .length = length,
                               .causal = spec_.causal,
                               .first = first};
    self_attention(input, memory.seen.data() + i * wanted * width, memory.scratch);
    if (pools_one)
      std::copy_n(x.data() + (i * length + first) * width, width, x.data() + i * width);
  }
  x.resize(rows * width);

  memory.products.resize(rows * width);
  block.attention_out->apply(memory.seen.data(), rows, memory.products.data());
  add_numbers(memory.products.data(), rows * width, x.data());
  if (spec_.norm_first) {
    apply(block.mlp_norm, x, rows, memory.normed);
    add_mlp(*block.mlp_in, *block.mlp_out, memory.normed, rows, x, memory);
  } else {
    apply(block.attention_norm, x, rows, x);
    memory.normed = x;
    add_mlp(*block.mlp_in, *block.mlp_out, memory.normed, rows, x, memory);
    apply(block.mlp_norm, x, rows, x);
  }
}

std::vector<float> Transformer::run_head(const std::vector<float>& x, std::size_t sequences,
                                         std::size_t length, Memory& memory) const {
  const std::size_t width = spec_.width;
  memory.inner.resize(sequences * length * 2 * width);
  head_.key_value->apply(x.data(), sequences * length, memory.inner.data());
  memory.seen.resize(sequences * width);
  for (std::size_t i = 0; i < sequences; ++i) {
    const float* const sequence = memory.inner.data() + i * length * 2 * width;
    const AttentionInput input{.width = width,
                               .heads = spec_.heads,
                               .queries = head_.query.data(),
                               .query_stride = width,
                               .query_count = 1,
                               .keys = sequence,
                               .values = sequence + width,
                               .stride = 2 * width,
                               .length = length};
    self_attention(input, memory.seen.data() + i * width, memory.scratch);
  }
  std::vector<float> rows(sequences * width);
  head_.attention_out->apply(memory.seen.data(), sequences, rows.data());
  apply(head_.norm, rows, sequences, memory.normed);
  add_mlp(*head_.mlp_in, *head_.mlp_out, memory.normed, sequences, rows, memory);
  return rows;
}

std::vector<float> Transformer::run(std::vector<float> x, std::size_t sequences,
                                    std::size_t length) const {
  if (sequences == 0 || length == 0) return {};
  Memory memory;
  if (spec_.embedding_norm) apply(embedding_norm_, x, sequences * length, x);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const bool last = i + 1 == blocks_.size();
    run_block(blocks_[i], sequences, length, last && pools_one_token(spec_), x, memory);
  }
  const std::size_t rows = pools_one_token(spec_) ? sequences : sequences * length;
  if (spec_.final_norm) apply(final_norm_, x, rows, x);
  if (spec_.pooling == TokenPooling::attention) return run_head(x, sequences, length, memory);
  if (spec_.pooling != TokenPooling::mean) return x;
  std::vector<float> means(sequences * spec_.width);
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::span<float> mean = std::span(means).subspan(i * spec_.width, spec_.width);
    for (std::size_t row = 0; row < length; ++row) {
      add_numbers(x.data() + (i * length + row) * spec_.width, spec_.width, mean.data());
    }
    for (float& number : mean) number /= static_cast<float>(length);
  }
  return means;
}

}  // namespace hinny

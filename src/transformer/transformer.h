// A transformer encoder, forward only, without libtorch (docs/systems/pretrained.md).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/transformer_config.h"
#include "transformer/dense_layer.h"

namespace hinny {

// Its tensors are PREFIX.layers.N.{attention_norm, query_key_value, attention_out, mlp_norm,
// mlp_in, mlp_out}, each .weight and .bias; PREFIX.embedding_norm, PREFIX.final_norm and
// PREFIX.head.* where the specification has them. Throws InputError for one that is missing or of
// another shape.
// `check_layer` checks a layer's two tensors: they are kept in panels or as rows.
using CheckDenseLayer = std::function<void(const Weights&, const std::string& prefix,
                                           std::size_t outputs, std::size_t inputs)>;
void check_transformer(const Weights& weights, const std::string& prefix,
                       const TransformerSpec& spec, const CheckDenseLayer& check_layer);

// Immutable; safe to use from several threads, each call on its own thread alone. `weights`, which
// have been checked, must outlive it.
class Transformer {
 public:
  Transformer(const Weights& weights, const std::string& prefix, const TransformerSpec& spec,
              const MakeDenseLayer& make);

  // x [sequences, length, width], tokens and positions added -> [sequences, width].
  std::vector<float> run(std::vector<float> x, std::size_t sequences, std::size_t length) const;

  const TransformerSpec& spec() const { return spec_; }

 private:
  struct Norm {
    std::span<const float> weight, bias;
  };
  struct Block {
    Norm attention_norm, mlp_norm;
    std::unique_ptr<DenseLayer> query_key_value, attention_out, mlp_in, mlp_out;
  };
  struct Head {
    std::span<const float> query;  // [width], the learnt one with its own layer behind it
    std::unique_ptr<DenseLayer> key_value, attention_out, mlp_in, mlp_out;
    Norm norm;
  };
  struct Memory;
  void apply(const Norm& norm, const std::vector<float>& x, std::size_t rows,
             std::vector<float>& out) const;
  void add_mlp(const DenseLayer& in, const DenseLayer& out, const std::vector<float>& from,
               std::size_t rows, std::vector<float>& x, Memory& memory) const;
  void run_block(const Block& block, std::size_t sequences, std::size_t length, bool pools_one,
                 std::vector<float>& x, Memory& memory) const;
  std::vector<float> run_head(const std::vector<float>& x, std::size_t sequences,
                              std::size_t length, Memory& memory) const;

  TransformerSpec spec_;
  std::vector<Block> blocks_;
  Norm embedding_norm_, final_norm_;
  Head head_;
};

}  // namespace hinny

// A transformer encoder as a model's file describes it, of sentences or of pictures: what the
// families of pretrained models have in common, with what they differ in as options. Vaswani et al.
// 2017; Dosovitskiy et al. 2021 (pictures); Radford et al. 2021 (CLIP); Zhai et al. 2023 (SigLIP).
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/choice.h"
#include "model/json_node.h"

namespace hinny {

// quick_gelu: x sigmoid(1.702 x). gelu_tanh: GELU with tanh in place of erf. swiglu: the MLP's
// first layer has twice as many outputs, x sigmoid(x) of the first half times the second (Shazeer
// 2020).
enum class Activation { gelu, gelu_tanh, quick_gelu, swiglu };

// What becomes one row: the first token's, the last one's, the mean of all, or what one learnt
// query sees of them (SigLIP's attention-pooling head).
enum class TokenPooling { first, last, mean, attention };

struct TransformerSpec {
  std::size_t width = 0;   // of a token
  std::size_t layers = 0;  // blocks of attention and MLP
  std::size_t heads = 0;   // divides width
  std::size_t hidden = 0;  // of the MLP
  bool norm_first = true;  // before attention and MLP (pre-LN), else after their sums
  bool embedding_norm = false;
  bool final_norm = true;
  bool causal = false;  // a token sees itself and those before it
  double epsilon = 1e-5;
  Activation activation = Activation::gelu;
  TokenPooling pooling = TokenPooling::mean;
  // Tokens of the longest sequence: a sentence with its marks, or a picture's patches with its
  // class token and the like.
  std::size_t positions = 0;

  // Of sentences.
  std::size_t vocabulary = 0;  // 0: it sees pictures
  bool padded = false;         // every sentence is filled up to `positions`, and that counts

  // Of pictures: [3, side, side] in squares of patch x patch, after `extra` tokens of no patch (the
  // class token, registers).
  std::size_t side = 0;
  std::size_t patch = 0;
  std::size_t extra = 0;

  bool sees_pictures() const { return vocabulary == 0; }
  // Rows of the MLP's first matrix.
  std::size_t mlp_rows() const { return activation == Activation::swiglu ? 2 * hidden : hidden; }
  bool operator==(const TransformerSpec&) const = default;
};

// Throws InputError for anything that the format does not have, or that does not fit together.
TransformerSpec read_transformer(const JsonNode& node);
nlohmann::json as_json(const TransformerSpec& spec);

template <>
struct Choices<Activation> {
  static constexpr Choice<Activation> all[] = {{Activation::gelu, "gelu"},
                                               {Activation::gelu_tanh, "gelu_tanh"},
                                               {Activation::quick_gelu, "quick_gelu"},
                                               {Activation::swiglu, "swiglu"}};
};

template <>
struct Choices<TokenPooling> {
  static constexpr Choice<TokenPooling> all[] = {{TokenPooling::first, "first"},
                                                 {TokenPooling::last, "last"},
                                                 {TokenPooling::mean, "mean"},
                                                 {TokenPooling::attention, "attention"}};
};

}  // namespace hinny

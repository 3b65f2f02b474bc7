// A pretrained model's transformer of sentences: ids of tokens -> one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "transformer/transformer.h"

namespace hinny {

// Of its tensors in a model's file.
inline constexpr const char* kTextTower = "text";

// Checks PREFIX.tokens [vocabulary, width], PREFIX.positions [positions, width] and the
// transformer's own tensors. Throws InputError.
void check_text_tower(const Weights& weights, const std::string& prefix,
                      const TransformerSpec& spec);

// As Transformer. Of the tokens' table the rows of a sentence are read and no others.
class TextTower {
 public:
  TextTower(const Weights& weights, const std::string& prefix, const TransformerSpec& spec);

  // `ids`, marks included: 1 to spec().positions of them, each from 0 to below spec().vocabulary.
  // -> [width]. A model whose sentences are padded gets `padding` up to its positions.
  std::vector<float> run(std::span<const std::int32_t> ids, std::int32_t padding) const;

  const TransformerSpec& spec() const { return transformer_.spec(); }

 private:
  const Weights& weights_;
  std::string tokens_;
  std::span<const float> positions_;
  Transformer transformer_;
};

}  // namespace hinny

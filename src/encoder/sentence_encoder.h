// Word vectors -> one sentence vector: their mean, or the last state of a recurrent network; or a
// state at each word.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/model_config.h"
#include "tensors/weights.h"

namespace hinny {

// Checks the encoder's tensors. Throws InputError.
void check_sentence_encoder(const Weights& weights, const EncoderSpec& spec);

// `words` [time, spec.input], time >= 1 -> spec.output() numbers, or with spec.every_word [time,
// spec.output()]. The tensors have been checked. Runs on the calling thread alone.
std::vector<float> encode_sentence(const Weights& weights, const EncoderSpec& spec,
                                   std::span<const float> words);

// The state of a recurrent network at each of these words: [time, hidden], or of both directions
// [time, 2 hidden], the forward one first.
std::vector<float> encode_words(const Weights& weights, const EncoderSpec& spec,
                                std::span<const float> words);

}  // namespace hinny

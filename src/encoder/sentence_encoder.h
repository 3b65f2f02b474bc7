// Word vectors -> one sentence vector: their mean, or the last state of a recurrent network.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/model_config.h"
#include "encoder/weights.h"

namespace hinny {

// Checks the encoder's tensors. Throws InputError.
void check_sentence_encoder(const Weights& weights, const EncoderSpec& spec);

// `words` [time, spec.input], time >= 1 -> spec.output() numbers. The tensors have been checked.
// Runs on the calling thread alone.
std::vector<float> encode_sentence(const Weights& weights, const EncoderSpec& spec,
                                   std::span<const float> words);

}  // namespace hinny

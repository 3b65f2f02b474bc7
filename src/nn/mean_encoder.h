// The mean of the word vectors.
#pragma once

#include "nn/sentence_encoder.h"

namespace hinny {

std::shared_ptr<SentenceEncoder> make_mean_encoder(const EncoderOptions& options);

}  // namespace hinny

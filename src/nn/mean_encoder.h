// The mean of the word vectors.
#pragma once

#include "nn/sentence_encoder.h"

namespace hinny {

// The mean of each caption's rows of the table. -> [captions, dim]
torch::Tensor mean_words(const CaptionWords& words);

std::shared_ptr<SentenceEncoder> make_mean_encoder(const EncoderOptions& options);

}  // namespace hinny

// Precomputed sentence vectors, made by another program.
#pragma once

#include "nn/sentence_encoder.h"

namespace hinny {

// CaptionBatch::vectors, [captions, input], as they are.
std::shared_ptr<SentenceEncoder> make_precomputed_sentences(const EncoderOptions& options);

}  // namespace hinny

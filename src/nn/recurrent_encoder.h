// GRU and LSTM over the words: the state after the last word, and with `bidirectional` beside it
// the backward state after the first word; 0 for a caption without words. Gates as in PyTorch
// (LSTM i, f, g, o; GRU r, z, n). On the CPU by our own kernels (recurrent_function.h), on a GPU
// by cuDNN (recurrent_torch.h).
#pragma once

#include "nn/sentence_encoder.h"

namespace hinny {

std::shared_ptr<SentenceEncoder> make_recurrent_encoder(const EncoderOptions& options);

}  // namespace hinny

// GRU and LSTM over the words: the state after the last word, and with `bidirectional` beside it
// the backward state after the first word; 0 for a caption without words. Gates as in PyTorch
// (LSTM i, f, g, o; GRU r, z, n). On the CPU by our own kernels (recurrent_function.h), on a GPU
// by cuDNN.
#pragma once

#include "nn/sentence_encoder.h"

namespace hinny {

std::shared_ptr<SentenceEncoder> make_recurrent_encoder(const EncoderOptions& options);

// For libtorch: captions sorted by falling length and laid time-major: step t holds the t-th word of every
// caption that has one, so nothing is computed for captions that have ended.
struct TimeMajor {
  torch::Tensor order;        // [tokens] int64: position in CaptionBatch::ids of each packed token
  torch::Tensor batch_sizes;  // [steps] int64 on the CPU: captions alive at each step
  torch::Tensor unsort;       // [captions] int64: sorted position of each caption
};
TimeMajor pack_by_time(const torch::Tensor& lengths);

}  // namespace hinny

#include "nn/sentence_encoder.h"

#include "base/error.h"
#include "nn/mean_encoder.h"
#include "nn/precomputed_sentences.h"
#include "nn/recurrent_encoder.h"

namespace hinny {

torch::Tensor SentenceEncoder::states(const torch::Tensor&, const CaptionBatch&) {
  throw InputError("a sentence encoder without a state at each word", "text.encoder = gru or lstm");
}

std::shared_ptr<SentenceEncoder> make_sentence_encoder(const EncoderOptions& options) {
  switch (options.kind) {
    case EncoderKind::given:
      return make_precomputed_sentences(options);
    case EncoderKind::mean:
      return make_mean_encoder(options);
    case EncoderKind::gru:
    case EncoderKind::lstm:
      break;
  }
  return make_recurrent_encoder(options);
}

}  // namespace hinny

#include "nn/sentence_encoder.h"

#include <map>

#include "base/error.h"
#include "nn/given_encoder.h"
#include "nn/mean_encoder.h"
#include "nn/recurrent_encoder.h"

namespace hinny {
namespace {

using Maker = std::shared_ptr<SentenceEncoder> (*)(const EncoderOptions&);

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table = {
      {"given", make_given_encoder},
      {"mean", make_mean_encoder},
      {"gru", make_recurrent_encoder},
      {"lstm", make_recurrent_encoder},
  };
  return table;
}

}  // namespace

std::vector<std::string> sentence_encoder_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, maker] : makers()) kinds.push_back(kind);
  return kinds;
}

torch::Tensor SentenceEncoder::states(const torch::Tensor&, const CaptionBatch&) {
  throw InputError("a sentence encoder without a state at each word", "text.encoder = gru or lstm");
}

std::shared_ptr<SentenceEncoder> make_sentence_encoder(const EncoderOptions& options) {
  const auto found = makers().find(options.kind);
  if (found == makers().end()) {
    throw InputError("no sentence encoder '" + options.kind + "'" +
                         did_you_mean(options.kind, sentence_encoder_kinds()),
                     "mean, gru, lstm or given");
  }
  return found->second(options);
}

}  // namespace hinny

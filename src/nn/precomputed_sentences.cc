#include "nn/precomputed_sentences.h"

namespace hinny {
namespace {

class PrecomputedSentences : public SentenceEncoder {
 public:
  explicit PrecomputedSentences(std::int64_t size) : size_(size) {}

  torch::Tensor forward(const torch::Tensor&, const CaptionBatch& captions) override {
    return captions.vectors;
  }
  std::int64_t size() const override { return size_; }
  EncoderSpec describe(const std::string&) const override {
    EncoderSpec spec;
    spec.kind = EncoderKind::given;
    spec.input = static_cast<std::size_t>(size_);
    return spec;
  }

 private:
  std::int64_t size_;
};

}  // namespace

std::shared_ptr<SentenceEncoder> make_precomputed_sentences(const EncoderOptions& options) {
  return std::make_shared<PrecomputedSentences>(options.input);
}

}  // namespace hinny

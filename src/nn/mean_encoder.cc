#include "nn/mean_encoder.h"

#include <ATen/ops/embedding_bag.h>

namespace hinny {
namespace {

class MeanEncoder : public SentenceEncoder {
 public:
  explicit MeanEncoder(std::int64_t size) : size_(size) {}

  torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) override {
    return mean_words({table, captions});
  }
  std::int64_t size() const override { return size_; }
  EncoderSpec describe(const std::string&) const override {
    EncoderSpec spec;
    spec.kind = EncoderKind::mean;
    spec.input = static_cast<std::size_t>(size_);
    return spec;
  }

 private:
  std::int64_t size_;
};

}  // namespace

torch::Tensor mean_words(const CaptionWords& words) {
  constexpr std::int64_t kMean = 1;  // embedding_bag's mode
  return std::get<0>(at::embedding_bag(words.table, words.captions.ids, words.captions.offsets,
                                       /*scale_grad_by_freq=*/false, kMean));
}

std::shared_ptr<SentenceEncoder> make_mean_encoder(const EncoderOptions& options) {
  return std::make_shared<MeanEncoder>(options.input);
}

}  // namespace hinny

#include "nn/given_encoder.h"

namespace hinny {
namespace {

class GivenEncoder : public SentenceEncoder {
 public:
  explicit GivenEncoder(std::int64_t size) : size_(size) {}

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

std::shared_ptr<SentenceEncoder> make_given_encoder(const EncoderOptions& options) {
  return std::make_shared<GivenEncoder>(options.input);
}

}  // namespace hinny

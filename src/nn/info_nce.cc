#include "nn/info_nce.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/softplus.h>

#include <cmath>

#include "nn/similarity.h"

namespace hinny {
namespace {

const double kLargestScale = std::log(100.0);

class InfoNce : public RetrievalLoss {
 public:
  explicit InfoNce(const LossOptions& options) : options_(options) {
    scale_ = register_parameter("scale", at::full({}, std::log(1.0 / options.temperature)));
  }

  torch::Tensor of_scores(const torch::Tensor& scores, const torch::Tensor& rows) override {
    const torch::Tensor logits = scores * scale_.clamp_max(kLargestScale).exp();
    torch::Tensor loss = logits.new_zeros({});
    if (options_.text_to_image != 0) {
      loss = loss + options_.text_to_image * at::cross_entropy_loss(logits, rows);
    }
    if (options_.image_to_text != 0) {
      const torch::Tensor own = rows.unsqueeze(1);
      const torch::Tensor mask = own == at::arange(logits.size(1), rows.options()).unsqueeze(0);
      loss = loss + options_.image_to_text *
                        contrast(logits.t(), mask.t(), rows, logits.gather(1, own).squeeze(1));
    }
    return loss;
  }

 protected:
  torch::Tensor compare(const torch::Tensor& captions, const torch::Tensor& images) override {
    return contrast_scores(captions, images, options_.distance);
  }

 private:
  LossOptions options_;
  torch::Tensor scale_;
};

}  // namespace

torch::Tensor contrast_scores(const torch::Tensor& a, const torch::Tensor& b, Distance distance) {
  return similarity(a, b, distance == Distance::euclidean ? Distance::cosine : distance);
}

torch::Tensor contrast(const torch::Tensor& logits, const torch::Tensor& same,
                       const torch::Tensor& anchors, const torch::Tensor& positive) {
  constexpr double kNever = -1e9;  // finite: an infinity would make NaN gradients in logsumexp
  // -log(e^p / (e^p + sum e^n)) = softplus(logsumexp(n) - p), one logsumexp per anchor.
  const torch::Tensor others = at::logsumexp(logits.masked_fill(same, kNever), {1});
  return at::softplus(others.index_select(0, anchors) - positive).mean();
}

std::shared_ptr<RetrievalLoss> make_info_nce(const LossOptions& options) {
  return std::make_shared<InfoNce>(options);
}

}  // namespace hinny

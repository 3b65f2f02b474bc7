#include "nn/info_nce.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/softplus.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "kernels/info_nce.h"
#include "nn/similarity.h"

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

const double kLargestScale = std::log(100.0);

// Its gradient is made with it.
struct OnCpu : torch::autograd::Function<OnCpu> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& scores,
                               const torch::Tensor& log_scale, const torch::Tensor& rows,
                               double text_to_image, double image_to_text) {
    return scores.scalar_type() == at::kDouble
               ? of<double>(context, scores, log_scale, rows, text_to_image, image_to_text)
               : of<float>(context, scores, log_scale, rows, text_to_image, image_to_text);
  }
  template <typename T>
  static torch::Tensor of(AutogradContext* context, const torch::Tensor& given,
                          const torch::Tensor& log_scale, const torch::Tensor& given_rows,
                          double text_to_image, double image_to_text) {
    const torch::Tensor scores = given.contiguous(), rows = given_rows.contiguous();
    const torch::Tensor gradient = at::empty_like(scores);
    const InfoNceValue value =
        info_nce<T>({scores.data_ptr<T>(),
                     scores.size(1),
                     {rows.data_ptr<std::int64_t>(), static_cast<std::size_t>(rows.numel())},
                     log_scale.item<double>(),
                     text_to_image,
                     image_to_text},
                    gradient.data_ptr<T>());
    context->save_for_backward({gradient, at::full({}, value.scale_gradient, scores.options())});
    return at::full({}, value.loss, scores.options());
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    return {saved[0] * gradients[0], saved[1] * gradients[0], {}, {}, {}};
  }
};

class InfoNce : public RetrievalLoss {
 public:
  explicit InfoNce(const LossOptions& options) : options_(options) {
    scale_ = register_parameter("scale", at::full({}, std::log(1.0 / options.temperature)));
  }

  torch::Tensor of_scores(const torch::Tensor& scores, const torch::Tensor& rows) override {
    const torch::Tensor log_scale = scale_.clamp_max(kLargestScale);
    const bool plain = scores.is_cpu() && scores.scalar_type() == scale_.scalar_type();
    return plain ? OnCpu::apply(scores, log_scale, rows, options_.text_to_image,
                                options_.image_to_text)
                 : info_nce_by_operators(scores, log_scale, rows, options_);
  }

 protected:
  torch::Tensor compare(const torch::Tensor& captions, const torch::Tensor& images) override {
    return contrast_scores(captions, images, options_.distance, options_.precision);
  }

 private:
  LossOptions options_;
  torch::Tensor scale_;
};

}  // namespace

torch::Tensor info_nce_by_operators(const torch::Tensor& scores, const torch::Tensor& log_scale,
                                    const torch::Tensor& rows, const LossOptions& options) {
  const torch::Tensor logits = scores * log_scale.exp();
  torch::Tensor loss = logits.new_zeros({});
  if (options.text_to_image != 0) {
    loss = loss + options.text_to_image * at::cross_entropy_loss(logits, rows);
  }
  if (options.image_to_text != 0) {
    const torch::Tensor own = rows.unsqueeze(1);
    const torch::Tensor mask = own == at::arange(logits.size(1), rows.options()).unsqueeze(0);
    loss = loss + options.image_to_text *
                      contrast(logits.t(), mask.t(), rows, logits.gather(1, own).squeeze(1));
  }
  return loss;
}

torch::Tensor contrast_scores(const torch::Tensor& a, const torch::Tensor& b, Distance distance,
                              Precision precision) {
  return similarity(a, b, distance == Distance::euclidean ? Distance::cosine : distance, precision);
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

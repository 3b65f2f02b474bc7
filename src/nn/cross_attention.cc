#include "nn/cross_attention.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "nn/batched_attention.h"

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What is no tensor.
struct Pairing : torch::CustomClassHolder {
  Pairing(const CrossAttention& how, std::vector<std::int64_t> words, Reads products)
      : attention(how), lengths(std::move(words)), reads(products) {}

  template <typename T>
  CrossAttentionInput<T> input(const torch::Tensor& images, const torch::Tensor& words) const {
    return {images.size(0),      images.size(1), images.size(2), images.data_ptr<T>(),
            words.data_ptr<T>(), lengths,        reads};
  }

  CrossAttention attention;
  std::vector<std::int64_t> lengths;
  Reads reads;
};

template <typename T>
void score(const Pairing& pairing, const torch::Tensor& images, const torch::Tensor& words,
           torch::Tensor& scores) {
  cross_attention_scores(pairing.attention, pairing.input<T>(images, words), scores.data_ptr<T>());
}

template <typename T>
void differentiate(const Pairing& pairing, const torch::Tensor& images, const torch::Tensor& words,
                   const torch::Tensor& given, variable_list& result) {
  cross_attention_gradients(pairing.attention, pairing.input<T>(images, words), given.data_ptr<T>(),
                            result[0].data_ptr<T>(), result[1].data_ptr<T>());
}

class AttentionScores : public torch::autograd::Function<AttentionScores> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& images,
                               const torch::Tensor& words,
                               const c10::intrusive_ptr<Pairing>& pairing) {
    context->save_for_backward({images, words});
    context->saved_data["pairing"] = c10::IValue::make_capsule(pairing);
    torch::Tensor scores =
        at::empty({images.size(0), static_cast<std::int64_t>(pairing->lengths.size())},
                  images.options().requires_grad(false));
    if (images.scalar_type() == at::kDouble) {
      score<double>(*pairing, images, words, scores);
    } else {
      score<float>(*pairing, images, words, scores);
    }
    return scores;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto capsule = context->saved_data["pairing"].toCapsule();
    const auto& pairing = static_cast<const Pairing&>(*capsule);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor given = gradients[0].contiguous();
    variable_list result = {at::empty_like(saved[0]), at::empty_like(saved[1]), {}};
    if (given.scalar_type() == at::kDouble) {
      differentiate<double>(pairing, saved[0], saved[1], given, result);
    } else {
      differentiate<float>(pairing, saved[0], saved[1], given, result);
    }
    return result;
  }
};

}  // namespace

torch::Tensor attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                               const torch::Tensor& words, const std::vector<std::int64_t>& lengths,
                               Precision precision) {
  const bool known = images.scalar_type() == at::kFloat || images.scalar_type() == at::kDouble;
  if (!images.is_cpu() || !known) {
    return batched_attention_scores(attention, images, words, lengths);
  }
  const bool rounds = precision == Precision::bf16 && at::GradMode::is_enabled();
  const Reads reads = rounds ? Reads::bfloat16 : Reads::whole;
  return AttentionScores::apply(images.contiguous(), words.contiguous(),
                                c10::make_intrusive<Pairing>(attention, lengths, reads));
}

}  // namespace hinny

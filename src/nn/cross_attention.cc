#include "nn/cross_attention.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What is no tensor.
struct Pairing : torch::CustomClassHolder {
  Pairing(const CrossAttention& how, std::vector<std::int64_t> words)
      : attention(how), lengths(std::move(words)) {}

  template <typename T>
  CrossAttentionInput<T> input(const torch::Tensor& images, const torch::Tensor& words) const {
    return {images.size(0),       images.size(1),      images.size(2),
            images.data_ptr<T>(), words.data_ptr<T>(), lengths};
  }

  CrossAttention attention;
  std::vector<std::int64_t> lengths;
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

torch::Tensor normalised(AttentionNorm norm, torch::Tensor products, std::int64_t queries) {
  if (norm == AttentionNorm::softmax) return at::softmax(products, queries);
  if (norm == AttentionNorm::clipped || norm == AttentionNorm::clipped_l2) {
    products = at::leaky_relu(products, 0.1);
  }
  if (norm == AttentionNorm::none || norm == AttentionNorm::clipped) return products;
  return products / (products.norm(2, {queries}, /*keepdim=*/true) + 1e-8);
}

// One caption's [words, dim] with all images -> [images]
torch::Tensor scores_of(const CrossAttention& attention, const torch::Tensor& images,
                        const torch::Tensor& words) {
  const bool words_ask = attention.direction == AttentionDirection::text_to_image;
  const torch::Tensor products = at::matmul(images, words.transpose(0, 1));
  const std::int64_t queries = words_ask ? 2 : 1, context = words_ask ? 1 : 2;
  const torch::Tensor weights = at::softmax(
      normalised(attention.norm, products, queries) * attention.lambda_softmax, context);
  const torch::Tensor attended = words_ask ? at::matmul(weights.transpose(1, 2), images)
                                           : at::matmul(weights, words);  // [images, queries, dim]
  const torch::Tensor query = words_ask ? words.unsqueeze(0) : images;
  const torch::Tensor both = query.norm(2, {2}, false) * attended.norm(2, {2}, false);
  const torch::Tensor cosines = (query * attended).sum(2) / both.clamp_min(1e-8);
  if (attention.pooling == AttentionPooling::mean) return cosines.mean(1);
  return (cosines * attention.lambda_lse).logsumexp(1) / attention.lambda_lse;
}

}  // namespace

torch::Tensor composed_attention_scores(const CrossAttention& attention,
                                        const torch::Tensor& images, const torch::Tensor& words,
                                        const std::vector<std::int64_t>& lengths) {
  if (lengths.empty()) return images.new_zeros({images.size(0), 0});
  std::vector<torch::Tensor> columns;
  std::int64_t first = 0;
  for (const std::int64_t length : lengths) {
    const bool nothing = length == 0 || images.size(1) == 0;
    columns.push_back(nothing ? images.new_zeros({images.size(0)})
                              : scores_of(attention, images, words.narrow(0, first, length)));
    first += length;
  }
  return at::stack(columns, 1);
}

torch::Tensor attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                               const torch::Tensor& words,
                               const std::vector<std::int64_t>& lengths) {
  const bool known = images.scalar_type() == at::kFloat || images.scalar_type() == at::kDouble;
  if (!images.is_cpu() || !known) {
    return composed_attention_scores(attention, images, words, lengths);
  }
  return AttentionScores::apply(images.contiguous(), words.contiguous(),
                                c10::make_intrusive<Pairing>(attention, lengths));
}

}  // namespace hinny

#include "nn/late_interaction.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/repeat_interleave.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "base/every_processor.h"
#include "base/threads.h"
#include "base/vector_math.h"
#include "nn/product.h"

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double kShortest = 1e-12;  // of a word

// `maxima` [rows] of `products` [rows, each], and what each product counted for in its row's.
template <typename T>
[[gnu::always_inline]] inline void find_maxima(const T* products, std::size_t rows,
                                               std::size_t each, T sharpness, T* maxima,
                                               T* shares) {
  const T log_count = std::log(static_cast<T>(each));
  for (std::size_t row = 0; row < rows; ++row) {
    const T* product = products + row * each;
    T* share = shares + row * each;
    T most = product[0];
    for (std::size_t i = 1; i < each; ++i) most = std::max(most, product[i]);
    for (std::size_t i = 0; i < each; ++i) share[i] = quick_exp((product[i] - most) * sharpness);
    T sum = 0;
    for (std::size_t i = 0; i < each; ++i) sum += share[i];
    const T scale = 1 / sum;
    for (std::size_t i = 0; i < each; ++i) share[i] *= scale;
    maxima[row] = most + (std::log(sum) - log_count) / sharpness;
  }
}

template <typename T>
[[gnu::always_inline]] inline void find_all(const T* products, std::size_t rows, std::size_t each,
                                            T sharpness, T* maxima, T* shares) {
  if (each == 16) {  // a grid of four by four: loops of known length
    find_maxima<T>(products, rows, 16, sharpness, maxima, shares);
  } else {
    find_maxima<T>(products, rows, each, sharpness, maxima, shares);
  }
}

template <typename T>
void multiply_rows(const T* shares, const T* given, std::int64_t rows, std::int64_t each,
                   T* result) {
  parallel_blocks(static_cast<std::size_t>(rows), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t first = row * static_cast<std::size_t>(each);
      for (std::size_t i = first; i < first + static_cast<std::size_t>(each); ++i) {
        result[i] = shares[i] * given[row];
      }
    }
  });
}

// The last dimension's smooth maximum: [.., each] -> [..].
class SmoothMaximum : public torch::autograd::Function<SmoothMaximum> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& products,
                               double sharpness) {
    const torch::Tensor shares = at::empty_like(products);
    const std::int64_t each = products.size(-1);
    torch::Tensor maxima = at::empty(products.sizes().slice(0, products.sizes().size() - 1),
                                     products.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(products.scalar_type(), "smooth_maximum", [&] {
      const auto* from = products.data_ptr<scalar_t>();
      auto *to = maxima.data_ptr<scalar_t>(), *parts = shares.data_ptr<scalar_t>();
      const auto size = static_cast<std::size_t>(each);
      parallel_blocks(
          static_cast<std::size_t>(maxima.numel()), [&](std::size_t begin, std::size_t end) {
            on_this_processor<find_all<scalar_t>>(from + begin * size, end - begin, size,
                                                  static_cast<scalar_t>(sharpness), to + begin,
                                                  parts + begin * size);
          });
    });
    context->save_for_backward({shares});
    return maxima;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const torch::Tensor shares = context->get_saved_variables()[0];
    const torch::Tensor given = gradients[0].contiguous();
    torch::Tensor result = at::empty_like(shares);
    AT_DISPATCH_FLOATING_TYPES(shares.scalar_type(), "smooth_maximum_backward", [&] {
      multiply_rows<scalar_t>(shares.data_ptr<scalar_t>(), given.data_ptr<scalar_t>(),
                              given.numel(), shares.size(-1), result.data_ptr<scalar_t>());
    });
    return {result, {}};
  }
};

torch::Tensor smooth_maximum(const torch::Tensor& products, double sharpness) {
  if (products.is_cpu()) return SmoothMaximum::apply(products.contiguous(), sharpness);
  return (at::logsumexp(products * sharpness, {-1}) -
          std::log(static_cast<double>(products.size(-1)))) /
         sharpness;
}

}  // namespace

torch::Tensor late_scores(const torch::Tensor& words, const torch::Tensor& lengths,
                          const torch::Tensor& regions, double sharpness, Precision precision) {
  const std::int64_t images = regions.size(0), captions = lengths.size(0);
  const torch::Tensor size = words.norm(2, {1}).clamp_min(kShortest);
  const torch::Tensor products =
      row_products(words / size.unsqueeze(1), regions.flatten(0, 1), precision)
          .view({words.size(0), images, regions.size(1)});
  const torch::Tensor found = smooth_maximum(products, sharpness) * size.unsqueeze(1);
  const torch::Tensor caption_of =
      at::repeat_interleave(at::arange(captions, lengths.options()), lengths).to(words.device());
  const torch::Tensor sums = found.new_zeros({captions, images}).index_add(0, caption_of, found);
  const torch::Tensor squares = size.new_zeros({captions}).index_add(0, caption_of, size.square());
  return sums / squares.sqrt().unsqueeze(1);
}

}  // namespace hinny

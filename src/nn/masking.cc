#include "nn/masking.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <map>
#include <utility>
#include <vector>

#include "nn/layers.h"

namespace hinny {
namespace {

// For each image with captions in both, the first of each.
std::pair<torch::Tensor, torch::Tensor> pairs_of(const torch::Tensor& a, const torch::Tensor& b) {
  const torch::Tensor first = a.to(at::kCPU).contiguous(), second = b.to(at::kCPU).contiguous();
  std::map<std::int64_t, std::int64_t> place;  // by image
  for (std::int64_t i = 0; i < second.size(0); ++i) {
    place.emplace(second.data_ptr<std::int64_t>()[i], i);
  }
  std::vector<std::int64_t> of_a, of_b;
  for (std::int64_t i = 0; i < first.size(0); ++i) {
    const auto found = place.find(first.data_ptr<std::int64_t>()[i]);
    if (found == place.end()) continue;
    of_a.push_back(i);
    of_b.push_back(found->second);
    place.erase(found);
  }
  return {at::tensor(of_a, at::kLong).to(a.device()), at::tensor(of_b, at::kLong).to(b.device())};
}

torch::Tensor distance(const torch::Tensor& a, const torch::Tensor& b) {
  // Away from zero, where the length has no gradient.
  return (unit_rows(a) - unit_rows(b)).square().sum(1).add(1e-12).sqrt();
}

torch::Tensor reconstruction(Linear& layer, const MaskedSentences& a, const MaskedSentences& b) {
  const auto [of_a, of_b] = pairs_of(a.rows, b.rows);
  if (of_a.size(0) == 0) return a.whole.new_zeros({});
  const torch::Tensor first = a.masked.index_select(0, of_a);
  const torch::Tensor second = b.masked.index_select(0, of_b);
  const auto missing = layer.forward(at::cat({first, second}, 1)).chunk(2, 1);
  return (distance(first + missing[0], a.whole.index_select(0, of_a)) +
          distance(second + missing[1], b.whole.index_select(0, of_b)))
      .mean();
}

}  // namespace

CrossLanguageMasking::CrossLanguageMasking(std::int64_t space, std::int64_t joint) {
  vector_ = register_parameter("vector", at::zeros({1, space}).uniform_(-0.1, 0.1));
  averaged_ = register_module("averaged", std::make_shared<Linear>(2 * space, 2 * space));
  final_ = register_module("final", std::make_shared<Linear>(2 * joint, 2 * joint));
}

CaptionWords CrossLanguageMasking::mask(const CaptionWords& words, double share) const {
  CaptionWords masked{at::cat({words.table, vector_}), words.captions};
  const torch::Tensor& ids = words.captions.ids;
  const torch::Tensor hidden = at::rand(ids.sizes(), words.table.options()) < share;
  masked.captions.ids = at::where(hidden, at::full_like(ids, words.table.size(0)), ids);
  return masked;
}

torch::Tensor CrossLanguageMasking::averaged(const MaskedSentences& a, const MaskedSentences& b) {
  return reconstruction(*averaged_, a, b);
}

torch::Tensor CrossLanguageMasking::final(const MaskedSentences& a, const MaskedSentences& b) {
  return reconstruction(*final_, a, b);
}

}  // namespace hinny

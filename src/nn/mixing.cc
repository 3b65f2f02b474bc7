#include "nn/mixing.h"

#include <ATen/ops/_sample_dirichlet.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randperm.h>

#include "nn/layers.h"

namespace hinny {

Mix Mix::draw(double mix, std::int64_t images) {
  Mix drawn;
  drawn.kept = at::_sample_dirichlet(at::full({2}, mix, at::kDouble)).max().item<double>();
  drawn.partner = at::randperm(images, at::kLong);
  return drawn;
}

torch::Tensor Mix::of_images(const torch::Tensor& rows) const {
  return rows * kept + rows.index_select(0, partner.to(rows.device())) * (1 - kept);
}

Neighbours Mix::of_captions(const Neighbours& captions) const {
  const torch::Tensor rows = captions.rows.to(at::kCPU);
  torch::Tensor caption_of = at::full({partner.size(0)}, -1, at::kLong);
  caption_of.index_copy_(0, rows, at::arange(rows.size(0), at::kLong));
  const torch::Tensor others = caption_of.index_select(0, partner.index_select(0, rows));
  const torch::Tensor usable = (others >= 0).nonzero().squeeze(1);
  if (usable.numel() == 0) return captions;
  const auto of = [&](const torch::Tensor& which) {
    return captions.vectors.index_select(0, which.to(captions.vectors.device()));
  };
  return {unit_rows(of(usable) * kept + of(others.index_select(0, usable)) * (1 - kept)),
          captions.rows.index_select(0, usable.to(captions.rows.device()))};
}

}  // namespace hinny

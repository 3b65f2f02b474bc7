#include "nn/mixing.h"

#include <ATen/ops/_sample_dirichlet.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/tensor.h>

#include <map>

#include "nn/layers.h"

namespace hinny {

Mix Mix::draw(double mix, std::int64_t images, const std::vector<Neighbours>& captions) {
  Mix drawn;
  drawn.kept = at::_sample_dirichlet(at::full({2}, mix, at::kDouble)).max().item<double>();
  std::vector<std::vector<bool>> spoken(static_cast<std::size_t>(images),
                                        std::vector<bool>(captions.size()));
  for (std::size_t language = 0; language < captions.size(); ++language) {
    const torch::Tensor rows = captions[language].rows.to(at::kCPU).contiguous();
    for (std::int64_t i = 0; i < rows.size(0); ++i) {
      spoken[static_cast<std::size_t>(rows.data_ptr<std::int64_t>()[i])][language] = true;
    }
  }
  std::map<std::vector<bool>, std::vector<std::int64_t>> alike;
  for (std::int64_t image = 0; image < images; ++image) {
    alike[spoken[static_cast<std::size_t>(image)]].push_back(image);
  }
  drawn.partner = at::empty({images}, at::kLong);
  for (const auto& [languages, some] : alike) {
    const torch::Tensor places = at::tensor(some, at::kLong);
    drawn.partner.index_copy_(0, places,
                              places.index_select(0, at::randperm(places.size(0), at::kLong)));
  }
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
  const torch::Tensor partners =
      captions.vectors.index_select(0, others.to(captions.vectors.device()));
  return {unit_rows(captions.vectors * kept + partners * (1 - kept)), captions.rows};
}

}  // namespace hinny

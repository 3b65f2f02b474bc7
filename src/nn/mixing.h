// Examples mixed with other examples of their batch (Zhang et al. 2018, mixup), so that few of them
// are not learnt by heart.
#pragma once

#include <torch/types.h>

#include <vector>

#include "nn/neighbourhood.h"

namespace hinny {

// One draw for a batch: of each image the partner, and how much of the image itself is kept.
struct Mix {
  double kept = 1;        // in [0.5, 1]
  torch::Tensor partner;  // [images] int64, on the CPU

  // kept is the larger share of a draw from Beta(mix, mix), mix > 0; by libtorch's random numbers.
  // Partners are images that have `captions` in the same languages: else those of a language that
  // few images have would find no partner, or be compared with images mixed without them.
  static Mix draw(double mix, std::int64_t images, const std::vector<Neighbours>& captions);
  // rows [images, numbers] -> kept of each and the rest of its partner.
  torch::Tensor of_images(const torch::Tensor& rows) const;
  // Captions of images, of which each one's partner has one too: mixed with that (of several the
  // last), again of unit length.
  Neighbours of_captions(const Neighbours& captions) const;
};

}  // namespace hinny

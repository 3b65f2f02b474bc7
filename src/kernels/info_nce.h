// InfoNCE over scores, and its gradient in the same passes.
#pragma once

#include <cstdint>
#include <span>

namespace hinny {

// Logits are e^log_scale times scores. Caption c is of image rows[c], which may have several: none
// of them is a negative for it.
template <typename T>
struct InfoNceCase {
  const T* scores = nullptr;  // [captions, images]
  std::int64_t images = 0;
  std::span<const std::int64_t> rows;  // [captions]
  double log_scale = 0;
  double text_to_image = 1, image_to_text = 1;  // weights of both directions
};

struct InfoNceValue {
  double loss = 0;
  double scale_gradient = 0;  // of the loss by log_scale
};

// The mean over captions of -log of the share that its own image has of
//   text to image: all images' exponentials for it;
//   image to text: its own and those of the captions of other images for that image.
// Fills `gradient` [captions, images], of the loss by the scores. All threads work on it.
template <typename T>
InfoNceValue info_nce(const InfoNceCase<T>& batch, T* gradient);

}  // namespace hinny

// What a loss can be told, as plain data without libtorch.
#pragma once

#include <cstdint>
#include <string>

namespace hinny {

struct LossOptions {
  std::string kind = "triplet";  // one of loss_kinds()
  double text_to_image = 1.0;    // weight of captions as anchors
  double image_to_text = 1.0;    // weight of images as anchors
  // How vectors compare: cosine similarity, euclidean on unit vectors (MULE's code; triplets only),
  // or order, the order-violation of Vendrov et al. 2016.
  std::string distance = "cosine";
  // triplet
  double margin = 0.05;
  std::string mining = "hardest";  // all, hardest (the `hardest` worst negatives), max
  std::int64_t hardest = 10;
  std::string reduction = "mean";  // over anchors: mean, or sum as in VSE++
  // infonce
  double temperature = 0.07;  // where the learned temperature starts
};

}  // namespace hinny

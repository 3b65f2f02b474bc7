// What a loss can be told, as plain data.
#pragma once

#include <cstdint>

#include "recipe/choices.h"

namespace hinny {

struct LossOptions {
  LossKind kind = LossKind::triplet;
  double text_to_image = 1.0;  // weight of captions as anchors
  double image_to_text = 1.0;  // weight of images as anchors
  // How vectors compare: cosine similarity, euclidean on unit vectors (MULE's code; triplets only),
  // or order, the order-violation of Vendrov et al. 2016.
  Distance distance = Distance::cosine;
  // triplet
  double margin = 0.05;
  // all, hardest (the `hardest` worst negatives), max, or mixed: (1 - hard_share) of all and
  // hard_share of max, where hard_share = 1 - exp(-hardening * share of the training that is done),
  // or with a hardening_rate 1 - (1 - hardening_rate)^t in batch t, from 1 on, after pretraining
  // (LIWE: Wehrmann et al. 2019)
  Mining mining = Mining::hardest;
  double hardening = 10;
  double hardening_rate = 0;
  double hard_share = 0;  // no key of a recipe: the system moves it
  std::int64_t hardest = 10;
  Reduction hinges = Reduction::sum;      // over an anchor's negatives: sum, or mean (MULE's code)
  Reduction reduction = Reduction::mean;  // over anchors: mean, or sum as in VSE++
  // Of a neighbourhood's anchor: its farthest caption alone, or each.
  Positives positives = Positives::farthest;
  Precision precision = Precision::fp32;  // no key: the system's; what InfoNCE's cosines read
  // infonce
  double temperature = 0.07;  // where the learned temperature starts
};

}  // namespace hinny

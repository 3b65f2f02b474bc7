// InfoNCE with a learned temperature (van den Oord et al. 2018; Radford et al. 2021, Fig. 3).
#pragma once

#include "nn/loss.h"

namespace hinny {

// What InfoNCE compares, before the temperature: order similarity for Distance::order, else
// the cosine. [a, dim] x [b, dim] -> [a, b]
torch::Tensor contrast_scores(const torch::Tensor& a, const torch::Tensor& b, Distance distance,
                              Precision precision = Precision::fp32);

// The loss that make_info_nce's module computes, by libtorch's operators: on any device, and to
// compare with. scores [captions, images], log_scale a scalar, rows [captions].
torch::Tensor info_nce_by_operators(const torch::Tensor& scores, const torch::Tensor& log_scale,
                                    const torch::Tensor& rows, const LossOptions& options);

// InfoNCE with several positives an anchor: the mean over pairs of -log(e^p / (e^p + sum of e^n)):
// positive[i] of row anchors[i] of `logits` [anchors, candidates] against that row's candidates
// for which `same` is false. -> scalar
torch::Tensor contrast(const torch::Tensor& logits, const torch::Tensor& same,
                       const torch::Tensor& anchors, const torch::Tensor& positive);

// Cross-entropy of each caption against the batch's images, and of each (image, caption) pair
// against the captions of other images; the mean over captions of each, weighted by direction.
// The parameter `scale` is ln(1 / temperature), kept below ln(100).
std::shared_ptr<RetrievalLoss> make_info_nce(const LossOptions& options);

}  // namespace hinny

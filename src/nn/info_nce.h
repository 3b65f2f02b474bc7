// InfoNCE with a learned temperature (van den Oord et al. 2018; Radford et al. 2021, Fig. 3).
#pragma once

#include "nn/loss.h"

namespace hinny {

// Cross-entropy of each caption against the batch's images, and of each (image, caption) pair
// against the captions of other images; the mean over captions of each, weighted by direction.
// The parameter `scale` is ln(1 / temperature), kept below ln(100).
std::shared_ptr<RetrievalLoss> make_info_nce(const LossOptions& options);

}  // namespace hinny

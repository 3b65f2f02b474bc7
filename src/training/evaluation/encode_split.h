// A split's images and captions as vectors of the joint space.
#pragma once

#include <span>
#include <vector>

#include "base/progress.h"
#include "retrieval/score_matrix.h"
#include "retrieval/vector_rows.h"
#include "training/experiment/experiment.h"

namespace hinny {

// The captions of a language on some images.
struct SplitCaptions {
  std::vector<int> captions;  // positions in the dataset
  std::vector<int> owners;    // for each the row of its image
};

// Throws InputError when there is none; `split` is for the message.
SplitCaptions captions_of(const Dataset& dataset, std::span<const int> images, int language,
                          const std::string& split);

// [images, dim] and [captions, dim] on the CPU, by a system in evaluation mode, without gradients.
// `progress` may be null. Stops when the user interrupts.
torch::Tensor encode_images(RetrievalSystem& system, const BatchBuilder& builder,
                            std::span<const int> images, SystemLanguage language,
                            Progress* progress);
torch::Tensor encode_captions(RetrievalSystem& system, const BatchBuilder& builder,
                              std::span<const int> captions, SystemLanguage language,
                              Progress* progress);

// Scores of a system that compares pairs, likewise.
ScoreMatrix score_pairs(RetrievalSystem& system, const BatchBuilder& builder,
                        std::span<const int> images, std::span<const int> captions,
                        SystemLanguage language, Progress* progress);

// [captions, images] on the CPU as recall is measured from.
ScoreMatrix score_matrix(const torch::Tensor& by_caption);

// The numbers of a CPU tensor [rows, dim], which must outlive them.
VectorRows vector_rows(const torch::Tensor& rows);

}  // namespace hinny

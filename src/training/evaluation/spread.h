// Whether vectors have collapsed into one point, or have no length.
#pragma once

#include <torch/types.h>

#include <map>
#include <optional>
#include <string>

#include "retrieval/score_matrix.h"
#include "training/experiment/experiment.h"

namespace hinny {

struct Evaluation;

// Of rows [n, dim]: 1 - |their mean|^2 over their mean square. 0 when all lie in one point, or none
// has a length.
double spread_of(const torch::Tensor& rows);
// Of a system that compares pairs: the highest score less the lowest.
double spread_of(const ScoreMatrix& scores);

// Says which of the rows have length 0: nothing finds them. `of`: "pictures of split 'test'".
void warn_of_length_0(const torch::Tensor& rows, const std::string& of, Warnings& warnings);

// Says it of features that tell the images (of the train split) apart badly or not at all.
void warn_of_features(const Features& features, const std::vector<int>& images, Warnings& warnings);

// What has collapsed, as a sentence; nothing when all is well. Captions may lie close together and
// still be told apart: recall counts as well.
std::optional<std::string> collapse_in(const Evaluation& evaluation);

// The same of some of the training images and captions, for data without a split to validate on.
std::optional<std::string> collapse_in_training(Experiment& experiment);

}  // namespace hinny

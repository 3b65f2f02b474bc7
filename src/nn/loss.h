// Losses that pull captions to their images.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "nn/done.h"
#include "recipe/loss_options.h"

namespace hinny {

// `rows[c]` is the image of caption c; an image may have several captions, none of which is a
// negative for it.
class RetrievalLoss : public torch::nn::Module {
 public:
  // Vectors, as loss.distance compares them: images [images, dim] and captions [captions, dim],
  // their rows of unit length, rows [captions] int64 -> scalar
  torch::Tensor forward(const torch::Tensor& images, const torch::Tensor& captions,
                        const torch::Tensor& rows) {
    return of_scores(compare(captions, images), rows);
  }
  // Pairs compared already: scores [captions, images], larger is better -> scalar
  virtual torch::Tensor of_scores(const torch::Tensor& scores, const torch::Tensor& rows) = 0;
  // LossOptions::hard_share from here on.
  virtual void set_hard_share(double) {}

 protected:
  virtual torch::Tensor compare(const torch::Tensor& captions, const torch::Tensor& images) = 0;
};

// LossOptions::hard_share when so much of the training is done.
double hard_share(const LossOptions& options, const Done& done);

// To add a loss: its file, its test, a LossKind, and one line in loss.cc.
std::shared_ptr<RetrievalLoss> make_loss(const LossOptions& options);

// A loss that starts well where the recipe's hardest negatives would collapse: InfoNCE, or every
// negative and the mean over anchors.
LossOptions gentle_options(LossOptions options, GentleLoss way);

}  // namespace hinny

// Losses that pull captions to their images.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "nn/loss_options.h"

namespace hinny {

// Both inputs have rows of unit length. `rows[c]` is the row in `images` of caption c's image;
// an image may have several captions, none of which is a negative for it.
class RetrievalLoss : public torch::nn::Module {
 public:
  // images [images, dim], captions [captions, dim], rows [captions] int64 -> scalar
  virtual torch::Tensor forward(const torch::Tensor& images, const torch::Tensor& captions,
                                const torch::Tensor& rows) = 0;
  // LossOptions::hard_share from here on.
  virtual void set_hard_share(double) {}
};

// LossOptions::hard_share when this share of the training is done.
double hard_share(const LossOptions& options, double done);

// Throws InputError for an unknown kind, mining, reduction or distance. To add a loss: its file,
// its test, and one line in the table of loss.cc.
std::shared_ptr<RetrievalLoss> make_loss(const LossOptions& options);
std::vector<std::string> loss_kinds();

}  // namespace hinny

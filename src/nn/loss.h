// Losses that pull captions to their images.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace hinny {

struct LossOptions {
  std::string kind = "triplet";  // one of loss_kinds()
  double text_to_image = 1.0;    // weight of captions as anchors
  double image_to_text = 1.0;    // weight of images as anchors
  // triplet
  double margin = 0.05;
  std::string mining = "hardest";  // all, hardest (the `hardest` worst negatives), max
  std::int64_t hardest = 10;
  std::string reduction = "mean";   // over anchors: mean, or sum as in VSE++
  std::string distance = "cosine";  // cosine similarity, or euclidean on unit vectors (MULE's code)
  // infonce
  double temperature = 0.07;  // where the learned temperature starts
};

// Both inputs have rows of unit length. `rows[c]` is the row in `images` of caption c's image;
// an image may have several captions, none of which is a negative for it.
class RetrievalLoss : public torch::nn::Module {
 public:
  // images [images, dim], captions [captions, dim], rows [captions] int64 -> scalar
  virtual torch::Tensor forward(const torch::Tensor& images, const torch::Tensor& captions,
                                const torch::Tensor& rows) = 0;
};

// Throws InputError for an unknown kind, mining, reduction or distance. To add a loss: its file,
// its test, and one line in the table of loss.cc.
std::shared_ptr<RetrievalLoss> make_loss(const LossOptions& options);
std::vector<std::string> loss_kinds();

}  // namespace hinny

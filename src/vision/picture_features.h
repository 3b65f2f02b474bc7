// One picture at a time -> the features that a model reads: several encoders' side by side.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "vision/picture_encoder.h"

namespace hinny {

// Safe to use from several threads; the encoders run one picture at a time.
class PictureFeatures {
 public:
  // Each as open_encoder takes it ("builtin-1", FILE.onnx with its sidecar beside it). Throws
  // InputError.
  explicit PictureFeatures(const std::vector<std::string>& encoders);

  // What is enough of a picture (least_side).
  int least_side() const;
  // The features of all encoders, in their order.
  std::vector<float> of(const Picture& picture);

 private:
  std::vector<std::unique_ptr<PictureEncoder>> encoders_;
  std::mutex running_;
};

}  // namespace hinny

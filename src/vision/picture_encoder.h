// Pictures -> features.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "vision/picture.h"
#include "vision/preprocess.h"

namespace hinny {

class PictureEncoder {
 public:
  virtual ~PictureEncoder() = default;

  // What its features are called: features/<name>.npy.
  virtual std::string name() const = 0;
  // Of whoever makes the same features: more than the name where that is given by a file.
  virtual std::string identity() const { return name(); }
  // Shape of one picture's features: [dim] or [regions, dim].
  virtual std::vector<std::int64_t> shape() const = 0;
  std::int64_t row_size() const;  // product of shape()

  // The shorter side that is enough for prepare() to see as much as in the whole picture
  // (read_picture); 0: it needs every pixel.
  virtual int least_side() const { return 0; }

  // The part of the work that needs one picture alone. Safe to call from several threads, so that
  // it runs where the pictures are decoded, and only this small result is kept.
  virtual std::vector<float> prepare(const Picture& picture) const = 0;
  // The rest, for a batch of prepare()'s results; `rows` is [pictures, row_size()]. One caller at
  // a time; uses thread_count() threads itself.
  virtual void encode(std::span<const std::vector<float>> prepared, std::span<float> rows) = 0;
};

// What is enough for all of them.
int least_side(std::span<PictureEncoder* const> encoders);

// `which` is "builtin" (or its versioned name) or an .onnx file. `preprocess` (may be empty)
// replaces the sidecar beside the network. InputError when either is unusable.
std::unique_ptr<PictureEncoder> open_encoder(const std::string& which,
                                             const std::filesystem::path& preprocess = {});

// Those of a model's features, in their order, each as open_encoder takes it. Throws InputError
// where one cannot be used, or makes features of another size than its part of the model's.
std::vector<std::unique_ptr<PictureEncoder>> open_encoders(const FeatureSpec& features,
                                                           const std::vector<std::string>& which);

// A network in ONNX format. Runs a few pictures of zeros through it, so that one that does not fit
// its preprocessing is an InputError here. An output [N, dim, height, width] becomes
// [height x width regions, dim].
std::unique_ptr<PictureEncoder> open_onnx_encoder(const std::filesystem::path& network,
                                                  const Preprocess& how);

// The picture tower of a pretrained model (transformer/picture_tower.h). Throws InputError for a
// file that is none, or where it sees pictures of another size.
std::unique_ptr<PictureEncoder> open_tower_encoder(const std::filesystem::path& network,
                                                   const Preprocess& how);

// Statistics of colours, shapes and edges; no download (builtin_encoder.h).
std::unique_ptr<PictureEncoder> make_builtin_encoder();

}  // namespace hinny

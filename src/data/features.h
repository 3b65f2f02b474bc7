// Image features of a dataset folder: features/<name>.npy with rows in the order of
// features/ids.txt. docs/formats/dataset.md.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/npy.h"
#include "data/dataset.h"

namespace hinny {

// One or more feature files side by side: "inceptionv3+mobilenetv2" joins two, without copying
// either: they are memory-mapped. Safe to read from several threads.
class Features {
 public:
  struct Part {
    std::string name;
    std::int64_t dim = 0;  // numbers per image (regions x dim for region features)
    std::int64_t regions = 1;
  };

  // Checks that every file has one row per id, that ids are unique and that no number is NaN or
  // infinite; InputError otherwise. A name without its version ("builtin" for builtin-1) is enough
  // where there is one version; an unknown name lists the names that the folder has. Images of
  // `dataset` without a row are allowed until they are gathered: pictures that could not be read
  // have none. `dataset` is not needed afterwards.
  static Features open(const Dataset& dataset, const std::string& names);

  // One part of `rows`, of which an image has the one that `row_of_image` says, or none (-1).
  static Features of_rows(const Dataset& dataset, const std::string& name, NpyArray rows,
                          std::vector<std::int64_t> row_of_image);
  // Of this description, without a row for any image.
  static Features without_rows(const Dataset& dataset, const std::string& names,
                               std::vector<Part> parts);

  const std::string& names() const { return names_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::vector<std::string> part_names() const;
  std::int64_t dim() const;  // sum over the parts
  // How many regions every part has: those of several parts lie side by side, region by region. 1
  // where they differ, and of vectors.
  std::int64_t regions() const;

  // "; ids.txt has '7.jpg', images.jsonl '7', which ..." where images without a row seem to be
  // there under another spelling, or where no image has one; else "".
  const std::string& hint() const { return hint_; }

  // Whether there are features at all.
  bool rows_for_any() const { return rowless_.size() < row_of_image_.size(); }
  // Whether there are features for an image (a position in Dataset::images()).
  bool has(int image) const { return row_of_image_[static_cast<std::size_t>(image)] >= 0; }

  // Copies the images' rows, [images, dim], or [images, regions, dim / regions], as stored. Throws
  // InputError that names the image when one has no row.
  void gather(std::span<const int> images, std::span<float> out) const;

 private:
  void gather_regions(std::int64_t row, std::span<float> out, std::vector<float>& part) const;
  void set_rows(const Dataset& dataset, std::vector<std::int64_t> row_of_image);

  std::string names_;
  std::string hint_;
  std::filesystem::path ids_path_;
  std::vector<Part> parts_;
  std::vector<NpyArray> arrays_;
  std::vector<std::int64_t> row_of_image_;        // -1: none
  std::unordered_map<int, std::string> rowless_;  // ids of the images without a row
};

// Those of a split's images that have features, in their order. Throws InputError when none has.
std::vector<int> usable_images(const Features& features, std::vector<int> images,
                               const std::string& split);
// Says on stderr how many of them usable_images leaves out, if any. Apart from it, for a training
// filters the same split at every validation but says so once.
void report_left_out(const Features& features, std::span<const int> images,
                     const std::string& split);

struct FeatureTransformOptions {
  bool square_root = false;  // x -> sign(x) sqrt(|x|): evens out ReLU activations
  bool standardise = true;   // per number: zero mean, unit variance over the training images
};

// What is done to stored features before a model sees them; part of the model.
class FeatureTransform {
 public:
  FeatureTransform() = default;
  // From a model file: mean and scale of the size of one row, or both empty. InputError when they
  // do not fit each other or the options.
  FeatureTransform(FeatureTransformOptions options, std::vector<float> mean,
                   std::vector<float> scale);
  // Fitted on `images` (the training split alone), in one streaming pass. A number that never
  // varies gets scale 0. The result does not depend on the number of threads.
  static FeatureTransform fit(const Features& features, std::span<const int> images,
                              const FeatureTransformOptions& options);

  // In place, rows of the fitted size.
  void apply(std::span<float> rows) const;

  const FeatureTransformOptions& options() const { return options_; }
  const std::vector<float>& mean() const { return mean_; }
  const std::vector<float>& scale() const {
    return scale_;
  }  // multiplied after the mean is taken off

 private:
  FeatureTransformOptions options_{false, false};
  std::vector<float> mean_;
  std::vector<float> scale_;
};

}  // namespace hinny

// A model with the networks that make its pictures' features: one folder that a collection of
// pictures without captions can be indexed by (docs/formats/bundle.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "encoder/export_model.h"
#include "encoder/model.h"

namespace hinny {

constexpr const char* kBundleFile = "bundle.json";

struct BundleInput {
  std::vector<std::filesystem::path> networks;  // FILE.onnx, one for each feature file in order
  WeightType weights = WeightType::int8;
  std::string license;  // of the model, for its card; may be empty
};

// Writes the folder, which appears whole or not at all. Throws InputError where networks do not go
// with the model's features, or the model reads regions or answers no questions.
void write_bundle(const Model& model, const BundleInput& input,
                  const std::filesystem::path& folder);

// What pictures become vectors by: a bundle's parts, or those of a run with networks beside it.
class PictureModel {
 public:
  // `folder` is a bundle, or a run folder whose feature files `networks` (or the built-in
  // descriptor) make. Throws InputError for a bundle that is broken, and as write_bundle.
  static PictureModel open(const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& networks);

  const Model& model() const { return model_; }
  bool is_bundle() const { return bundle_; }
  // One for each part of the features: "builtin-1", or where FILE.onnx is.
  const std::vector<std::string>& encoders() const { return encoders_; }
  std::vector<std::filesystem::path> networks() const;
  // Of the model and all networks with their sidecars: pictures read by one hash have one vector.
  std::string hash() const;

 private:
  PictureModel(Model model, bool bundle) : model_(std::move(model)), bundle_(bundle) {}
  Model model_;
  bool bundle_;
  std::vector<std::string> encoders_;
};

}  // namespace hinny

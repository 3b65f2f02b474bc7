// A model with the networks that make its pictures' features: one folder, or one file, that a
// collection of pictures without captions can be indexed by (docs/formats/bundle.md).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "encoder/export_model.h"
#include "encoder/model.h"
#include "index/bundle/bundle_record.h"

namespace hinny {

// What pictures become vectors by: a bundle's parts, or those of a run with networks beside it.
class PictureModel {
 public:
  // `folder` is a bundle, or a run folder whose feature files `networks` (or the built-in
  // descriptor) make. Throws InputError for a bundle that is broken, where networks do not go with
  // the model's features, or the model reads regions or answers no questions.
  static PictureModel open(const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& networks);

  const Model& model() const { return model_; }
  bool is_bundle() const { return record_.has_value(); }
  const BundleRecord& record() const { return record_.value(); }  // of a bundle alone
  // One for each part of the features: "builtin-1", or where FILE.onnx is.
  const std::vector<std::string>& encoders() const { return encoders_; }
  std::vector<std::filesystem::path> networks() const;
  // Of the model and all networks with their sidecars: pictures read by one hash have one vector.
  // What is remembered to tell hubs changes no vector and is not in it.
  std::string hash() const;

 private:
  explicit PictureModel(Model model) : model_(std::move(model)) {}
  Model model_;
  std::optional<BundleRecord> record_;
  std::vector<std::string> encoders_;
};

// Where nothing is given, a bundle's own stay, and a run gets int8 and no license.
struct BundleInput {
  std::optional<WeightType> weights;
  std::optional<std::string> license, network_license;
};

// Writes a bundle of a run or of another bundle: a folder, or where the name says so
// (is_archive_name) an archive. It appears whole or not at all. Throws InputError where the bundle
// is not what its record says, and for a license that can be none.
void write_bundle(const PictureModel& pictures, const BundleInput& input,
                  const std::filesystem::path& out);

// For those who fill a bundle in another way. Throws InputError for a license that can be none.
void check_licenses(const BundleInput& input);
// Calls `fill` with an empty folder and makes it `out`, a folder or an archive, whole or not at
// all.
void make_bundle(const std::filesystem::path& out,
                 const std::function<void(const std::filesystem::path&)>& fill);
// Writes the record, with the hashes of all that is in `folder`, and the card, which repeats what
// stands in that of `trained_in`.
void finish_bundle(const std::filesystem::path& folder, BundleRecord record,
                   const std::filesystem::path& trained_in);

// Calls `work` with the folder of a model that the user named: the folder itself, or what the
// archive of a bundle holds, unpacked for as long as this takes. An InputError of `work` names the
// archive. Throws as unpack_bundle, and what `work` throws.
void with_model_folder(const std::filesystem::path& given,
                       const std::function<void(const std::filesystem::path&)>& work);

}  // namespace hinny

#include "index/bundle/bundle.h"

#include <fmt/format.h>

#include "base/archive_name.h"
#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "data/encoder_sidecar.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_card.h"
#include "index/bundle/picture_encoders.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

void check_reads_pictures(const Model& model) {
  model.check_searchable();
  if (model.config().features.regions == 1) return;
  throw InputError(model.folder() / kConfigFile, "this model reads regions of pictures",
                   "one that reads pictures as a whole");
}

void check_license(const std::string& license) {
  if (license.empty()) return;
  const std::string why = why_no_license(license);
  if (why.empty()) return;
  throw InputError(
      fmt::format("license '{}': {}", license, why),
      "an SPDX identifier, as CC-BY-4.0, Apache-2.0, or LicenseRef-NAME for any other");
}

// Inside the bundle, without a way out of it.
fs::path network_in(const fs::path& folder, const std::string& name) {
  const fs::path file(name);
  if (!is_network_name(file) || !may_be_in_bundle(name) || !fs::is_regular_file(folder / file)) {
    throw InputError(folder / kBundleFile, fmt::format("encoders hold '{}'", name),
                     "builtin-1, or networks/FILE.onnx or .safetensors");
  }
  return folder / file;
}

// A folder that is whole, at `folder`, which is there and empty.
void fill_bundle(const PictureModel& pictures, const BundleInput& input, const fs::path& folder) {
  const Model& model = pictures.model();
  BundleRecord record = pictures.is_bundle() ? pictures.record() : BundleRecord{};
  if (pictures.is_bundle()) {
    check_files(model.folder(), record);
  } else {
    record.recall = recorded_recall(model.folder());
  }
  record.license = input.license.value_or(record.license);
  record.network_license = input.network_license.value_or(record.network_license);
  record.languages = model.config().languages;
  record.features = model.config().features.names;
  record.search_parameters = model.config().search_parameters;
  record.encoders =
      store_picture_encoders(model.config().features.part_names(), pictures.networks(), folder);
  for (const std::string& encoder : record.encoders) {
    if (encoder.starts_with(kBuiltinEncoder) || may_be_in_bundle(encoder)) continue;
    throw InputError(encoder, "a name that no file of a bundle can have", kNetworkNames);
  }
  if (model.tower() != nullptr && input.weights) {
    throw InputError(model.folder(), "a pretrained model's bundle keeps its weights as they are",
                     "no --weights, or its own folder, bundled again with others");
  }
  if (pictures.is_bundle() && !input.weights) {
    copy_model(model, folder);
  } else {
    export_model(model, input.weights.value_or(WeightType::int8), folder);
  }
  finish_bundle(folder, record, model.folder());
}

// The archive's name in place of a folder's that is gone when this is read.
std::string renamed(std::string message, const std::string& folder, const std::string& archive) {
  for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;) {
    message.replace(at, folder.size(), archive);
    at += archive.size();
  }
  return message;
}

}  // namespace

PictureModel PictureModel::open(const fs::path& folder, const std::vector<fs::path>& networks) {
  PictureModel result(Model::open(folder));
  check_reads_pictures(result.model_);
  const std::vector<std::string> features = result.model_.config().features.part_names();
  if (!fs::exists(folder / kBundleFile)) {
    result.encoders_ = picture_encoders(features, networks);
    if (result.encoders_.empty()) {
      throw InputError(
          folder,
          "nothing makes pictures into its features " + result.model_.config().features.names,
          "--network FILE.onnx for each, or a bundle (hinny bundle)");
    }
    return result;
  }
  if (!networks.empty()) {
    throw InputError(networks.front(), "a network beside a bundle, which has its own", "none");
  }
  result.record_ = read_bundle_record(folder / kBundleFile);
  check_record(folder, *result.record_, result.model_);
  for (const std::string& name : result.record_->encoders) {
    const bool builtin = name.starts_with(kBuiltinEncoder);
    result.encoders_.push_back(builtin ? name : network_in(folder, name).string());
  }
  if (result.encoders_.size() != features.size()) {
    throw InputError(folder / kBundleFile, fmt::format("encoders are {}", result.encoders_.size()),
                     fmt::format("{}, one for each feature file", features.size()));
  }
  return result;
}

std::vector<fs::path> PictureModel::networks() const {
  std::vector<fs::path> networks;
  for (const std::string& encoder : encoders_) {
    if (!encoder.starts_with(kBuiltinEncoder)) networks.emplace_back(encoder);
  }
  return networks;
}

std::string PictureModel::hash() const {
  std::string hashes = model_hash(model_.folder());
  for (const std::string& encoder : encoders_) {
    hashes += encoder.starts_with(kBuiltinEncoder)
                  ? encoder
                  : content_hash(fs::path(encoder)) + content_hash(sidecar_of(encoder));
  }
  return content_hash(std::string_view(hashes));
}

void check_licenses(const BundleInput& input) {
  for (const auto& license : {input.license, input.network_license}) {
    check_license(license.value_or(""));
  }
}

void finish_bundle(const fs::path& folder, BundleRecord record, const fs::path& trained_in) {
  record.files.clear();
  for (const std::string& name : files_of_bundle(folder)) {
    record.files[name] = content_hash(folder / name);
  }
  write_bundle_record(folder / kBundleFile, record);
  write_file(folder / kCardFile, bundle_card(PictureModel::open(folder, {}), trained_in));
}

void make_bundle(const fs::path& out, const std::function<void(const fs::path&)>& fill) {
  if (is_archive_name(out)) {
    const TemporaryFolder folder;
    fill(folder.path());
    pack_bundle(folder.path(), out);
    return;
  }
  AtomicFolder target(out);
  fill(target.path());
  target.commit();
}

void write_bundle(const PictureModel& pictures, const BundleInput& input, const fs::path& out) {
  check_licenses(input);
  make_bundle(out, [&](const fs::path& folder) { fill_bundle(pictures, input, folder); });
}

void with_model_folder(const fs::path& given, const std::function<void(const fs::path&)>& work) {
  if (!fs::is_regular_file(given)) {
    work(given);
    return;
  }
  const TemporaryFolder folder;
  try {
    unpack_bundle(given, folder.path());
    work(folder.path());
  } catch (const InputError& error) {
    const std::string message = renamed(error.what(), folder.path().string(), given.string());
    if (message == error.what()) throw;
    throw InputError(message);
  }
}

}  // namespace hinny

#include "index/bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "index/picture_encoders.h"
#include "model/json_node.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

void check_reads_pictures(const Model& model) {
  model.check_searchable();
  if (model.config().features.regions == 1) return;
  throw InputError(model.folder() / kConfigFile, "this model reads regions of pictures",
                   "one that reads pictures as a whole");
}

std::string card(const Model& model, const BundleInput& input) {
  const ModelConfig& config = model.config();
  std::string text = fmt::format("# Pictures by sentences: {}\n\n", config.system);
  text += fmt::format(
      "- Languages: {}\n- Features: {}\n- Vectors of {} numbers; {} numbers to "
      "search with\n",
      fmt::join(config.languages, ", "), config.features.names, config.dim,
      config.search_parameters);
  for (const fs::path& network : input.networks) {
    text += fmt::format("- Network: {} ({} bytes)\n", network.filename().string(),
                        fs::file_size(network));
  }
  text += fmt::format("- License: {}\n\n", input.license.empty() ? "not stated" : input.license);
  text +=
      "    hinny index FOLDER --pictures PICTURES --out INDEX\n"
      "    hinny search INDEX \"...\"\n";
  const fs::path training = model.folder() / "README.md";
  if (fs::exists(training)) {
    text += "\n## The training\n\n" + read_file(training, kMostBytes);
  }
  return text;
}

// Inside the bundle, without a way out of it.
fs::path network_in(const fs::path& folder, const JsonNode& encoders, const std::string& name) {
  const fs::path file(name);
  if (file.parent_path() != "networks" || file.extension() != ".onnx" ||
      !fs::is_regular_file(folder / file)) {
    encoders.refuse(fmt::format("hold '{}'", name), "builtin-1, or networks/FILE.onnx");
  }
  return folder / file;
}

}  // namespace

void write_bundle(const Model& model, const BundleInput& input, const fs::path& folder) {
  check_reads_pictures(model);
  AtomicFolder target(folder);
  const std::vector<std::string> encoders =
      keep_picture_encoders(model.config().features.part_names(), input.networks, target.path());
  if (encoders.empty()) {
    throw InputError(fmt::format("nothing makes the features {}", model.config().features.names),
                     "--network FILE.onnx for each that is not built in");
  }
  export_model(model, input.weights, target.path());
  const nlohmann::ordered_json json = {
      {"format", 1}, {"encoders", encoders}, {"license", input.license}};
  write_file(target.path() / kBundleFile, json.dump(1) + "\n");
  write_file(target.path() / "README.md", card(model, input));
  target.commit();
}

PictureModel PictureModel::open(const fs::path& folder, const std::vector<fs::path>& networks) {
  PictureModel result(Model::open(folder), fs::exists(folder / kBundleFile));
  check_reads_pictures(result.model_);
  const std::vector<std::string> features = result.model_.config().features.part_names();
  if (!result.bundle_) {
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
  const JsonNode root = JsonNode::read(folder / kBundleFile, kMostBytes);
  root.only({"format", "encoders", "license"});
  root.at("format").integer(1, 1);
  const JsonNode encoders = root.at("encoders");
  for (const std::string& name : encoders.strings()) {
    const bool builtin = name.starts_with(kBuiltinEncoder);
    result.encoders_.push_back(builtin ? name : network_in(folder, encoders, name).string());
  }
  if (result.encoders_.size() != features.size()) {
    encoders.refuse(fmt::format("are {}", result.encoders_.size()),
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

}  // namespace hinny

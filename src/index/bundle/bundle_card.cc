#include "index/bundle/bundle_card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/content_hash.h"
#include "base/read_file.h"
#include "index/bundle/picture_encoders.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostCardBytes = std::uint64_t{1} << 20;
constexpr const char* kTraining = "## The training\n";

std::string license_text(const BundleRecord& record, bool networks) {
  const auto or_none = [](const std::string& license) {
    return license.empty() ? std::string("not stated") : license;
  };
  std::string text = fmt::format("- License: {}", or_none(record.license));
  if (networks) text += fmt::format("; of the network: {}", or_none(record.network_license));
  return text + "\n";
}

std::string recall_text(const RecordedRecall& recall) {
  std::string text =
      fmt::format("\nMean recall (of R@1, 5, 10, both ways) on split `{}`{}:\n\n", recall.split,
                  recall.images > 0 ? fmt::format(", {} pictures", recall.images) : std::string());
  text += "| language | % |\n|---|---|\n";
  for (const auto& [language, mean] : recall.average) {
    text += fmt::format("| {} | {:.1f} |\n", language, mean);
  }
  return text;
}

// What the source says of its training.
std::string training_text(const fs::path& source) {
  if (!fs::exists(source / kCardFile)) return "";
  const std::string card = read_file(source / kCardFile, kMostCardBytes);
  if (!fs::exists(source / kBundleFile)) return kTraining + ("\n" + card);
  const std::size_t heading = card.find("\n## ");
  return heading == std::string::npos ? "" : card.substr(heading + 1);
}

}  // namespace

NetworkCard network_card(const fs::path& network) {
  NetworkCard card{network.filename().string(), 0, fs::file_size(network), content_hash(network)};
  const auto sidecar =
      nlohmann::json::parse(read_file(sidecar_of(network), kMostCardBytes), nullptr, false);
  for (const char* key : {"crop", "size"}) {
    if (card.side > 0 || !sidecar.is_object() || !sidecar.contains(key)) continue;
    if (sidecar[key].is_number_integer()) card.side = sidecar[key].get<int>();
  }
  return card;
}

std::uint64_t bytes_of_bundle(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const std::string& name : files_of_bundle(folder)) {
    if (name != kCardFile) bytes += fs::file_size(folder / name);
  }
  return bytes;
}

std::string bundle_card(const PictureModel& bundle, const fs::path& source) {
  const ModelConfig& config = bundle.model().config();
  const BundleRecord& record = bundle.record();
  std::string text = fmt::format("# Pictures by sentences: {}\n\n", config.system);
  text += fmt::format("- Languages: {}\n", fmt::join(config.languages, ", "));
  text += license_text(record, !bundle.networks().empty());
  text += fmt::format("- Size: {:.1f} MB; {} parameters to search, vectors of {} numbers\n",
                      static_cast<double>(bytes_of_bundle(bundle.model().folder())) / 1e6,
                      config.search_parameters, config.dim);
  text += fmt::format("- Features: {}\n", config.features.names);
  for (const fs::path& file : bundle.networks()) {
    const NetworkCard card = network_card(file);
    text += fmt::format("- Network: {}, {} bytes, hash {}", card.name, card.bytes, card.hash);
    text += card.side > 0 ? fmt::format("; sees {0} x {0} pixels\n", card.side) : "\n";
  }
  if (record.recall) text += recall_text(*record.recall);
  text +=
      "\n    hinny index BUNDLE --pictures FOLDER --out INDEX\n"
      "    hinny search INDEX \"...\"\n";
  const std::string training = training_text(source);
  return training.empty() ? text : text + "\n" + training;
}

}  // namespace hinny

// hinny bundle: a model and the networks that see for it -> one folder, or one file.
#include "index/bundle/bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/terminal_text.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "cli/vision/preset_option.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_card.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct BundleOptions {
  fs::path run, out;
  std::vector<fs::path> networks;
  std::vector<std::string> presets;
  std::string weights, license, network_license;
  bool archive = false;
};

template <typename Value>
std::optional<Value> unless_empty(const std::string& given, const Value& value) {
  return given.empty() ? std::nullopt : std::optional<Value>(value);
}

fs::path out_of(const BundleOptions& options) {
  if (options.out.empty() && !options.archive) {
    throw InputError("nowhere to write to", "--out FOLDER, or --archive");
  }
  if (options.out.empty()) {
    return without_slash(options.run).string() + ".tar.gz";
  }
  if (options.archive && !is_archive_name(options.out)) {
    throw InputError(options.out, "is no name of an archive", "FILE.tar.gz or FILE.tar.zst");
  }
  return options.out;
}

void check_out(const fs::path& out) {
  if (!is_archive_name(out)) {
    check_replaceable(out, kBundleFile, "bundle");
  } else if (fs::exists(out) && !fs::is_regular_file(out)) {
    throw InputError(out, "is there and is no file", "a new file, or an archive to replace");
  }
}

void note_license(const std::string& license) {
  if (license.empty() || is_known_license(license)) return;
  print_line(stderr, "note: '{}' is no license that Hinny knows; SPDX lists their identifiers\n",
             license);
}

void bundle(const fs::path& run, const std::vector<fs::path>& networks,
            const BundleOptions& options) {
  const fs::path out = out_of(options);
  check_out(out);
  const PictureModel pictures = PictureModel::open(run, networks);
  open_encoders(pictures.model().config().features,
                pictures.encoders());  // that they run, and fit the model
  if (!options.network_license.empty() && pictures.networks().empty()) {
    throw InputError("--network-license of a bundle without a network", "--license alone");
  }
  BundleInput input{std::nullopt, unless_empty(options.license, options.license),
                    unless_empty(options.network_license, options.network_license)};
  if (!options.weights.empty()) input.weights = weight_type(options.weights);
  write_bundle(pictures, input, out);
  const std::uint64_t bytes = is_archive_name(out) ? fs::file_size(out) : bytes_of_bundle(out);
  print_line(stdout, "{}: {:.1f} MB; languages: {}\n", out.string(),
             static_cast<double>(bytes) / 1e6,
             fmt::join(pictures.model().config().languages, ", "));
  note_license(options.license);
  note_license(options.network_license);
  print_line(stderr, "index with it: hinny index {} --pictures FOLDER --out INDEX\n", out.string());
}

int run_bundle(const BundleOptions& options) {
  const NetworksByPreset networks(options.networks, options.presets);
  try {
    with_model_folder(
        options.run, [&](const fs::path& folder) { bundle(folder, networks.networks(), options); });
  } catch (const InputError& error) {
    throw InputError(networks.with_own_names(error.what()));
  }
  return 0;
}

std::function<int()> declare_bundle(CLI::App& command) {
  const auto options = std::make_shared<BundleOptions>();
  const Modes modes(command);
  command.add_option("MODEL", options->run, "run folder with a trained model, or a bundle")
      ->required();
  command.add_option("--out,-o", options->out,
                     "bundle to write: a folder, or FILE.tar.gz, FILE.tar.zst");
  command
      .add_flag("--archive", options->archive,
                "write one file (without --out: MODEL.tar.gz beside the model)")
      ->always_capture_default(false);
  command
      .add_option("--network", options->networks,
                  "FILE.onnx that made the model's features, with its sidecar beside it; several "
                  "in the order of the features")
      ->expected(1)
      ->take_all();
  auto* preset =
      command
          .add_option(
              "--preset", options->presets,
              "how pictures are prepared for a network without a sidecar; the bundle keeps it: one "
              "for all networks, or one for each in their order")
          ->expected(1)
          ->take_all();
  modes.acts(preset).beside({"--network"});
  command
      .add_option("--weights", options->weights,
                  "how the model's matrices are stored: fp32, bf16, int8")
      ->default_str("int8, or as a bundle has them");
  command
      .add_option("--license", options->license,
                  "of the model, for the card: an SPDX identifier, as CC-BY-4.0")
      ->default_str("");
  command.add_option("--network-license", options->network_license, "of its networks, likewise")
      ->default_str("");
  command.footer(
      preset_help() +
      "A bundle is all that is needed to index pictures that nobody has described.\n\n"
      "example:\n  hinny bundle runs/mine --network mobilenet_v2.onnx --out photo-model.tar.gz\n"
      "  hinny index photo-model.tar.gz --pictures ~/Pictures --out mine\n"
      "  hinny inspect photo-model.tar.gz");
  return [options] { return run_bundle(*options); };
}

const RegisterVerb bundle_verb{"bundle", declare_bundle};

}  // namespace
}  // namespace hinny

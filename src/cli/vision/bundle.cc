// hinny bundle: a model and the networks that see for it -> one folder.
#include "index/bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "cli/verb.h"
#include "cli/vision/open_encoders.h"
#include "cli/vision/preset_option.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path run, out;
  std::vector<fs::path> networks;
  std::vector<std::string> presets;
  std::string weights = "int8";
  std::string license;
};

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    if (item.is_regular_file()) bytes += item.file_size();
  }
  return bytes;
}

// One for all networks, or one for each.
void prepare_by_presets(const Options& options) {
  const std::size_t count = options.presets.size();
  if (count > 1 && count != options.networks.size()) {
    throw InputError(fmt::format("{} presets for {} networks", count, options.networks.size()),
                     "one for all of them, or one for each");
  }
  if (count == 1 && options.networks.empty()) {
    throw InputError("--preset without a network", "--network FILE.onnx");
  }
  for (std::size_t i = 0; count > 0 && i < options.networks.size(); ++i) {
    encoder_by_preset(options.networks[i].string(), options.presets[count == 1 ? 0 : i]);
  }
}

int run(const Options& options) {
  check_replaceable(options.out, kBundleFile, "bundle");
  prepare_by_presets(options);
  const PictureModel pictures = PictureModel::open(options.run, options.networks);
  open_encoders(pictures.model(), pictures.encoders());  // that they run, and fit the model
  write_bundle(pictures.model(), {options.networks, weight_type(options.weights), options.license},
               options.out);
  fmt::print("{}: {:.1f} MB; languages: {}\n", options.out.string(),
             static_cast<double>(bytes_in(options.out)) / 1e6,
             fmt::join(pictures.model().config().languages, ", "));
  fmt::print(stderr, "index with it: hinny index {} --pictures FOLDER --out INDEX\n",
             options.out.string());
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "run folder with a trained model")->required();
  command.add_option("--out,-o", options->out, "bundle folder to write")->required();
  command
      .add_option("--network", options->networks,
                  "FILE.onnx that made the model's features, with its sidecar beside it; several "
                  "in the order of the features")
      ->expected(1)
      ->take_all();
  command
      .add_option(
          "--preset", options->presets,
          "how pictures are prepared for a network without a sidecar, which this writes: one "
          "for all networks, or one for each in their order")
      ->expected(1)
      ->take_all();
  command.add_option("--weights", options->weights,
                     "how the model's matrices are stored: fp32, bf16, int8");
  command.add_option("--license", options->license, "under which others may use it, for the card")
      ->default_str("");
  command.footer(
      preset_help() +
      "A bundle is all that is needed to index pictures that nobody has described.\n\n"
      "example:\n  hinny bundle runs/mine --network mobilenet_v2.onnx --out photo-model\n"
      "  hinny index photo-model --pictures ~/Pictures --out mine");
  return [options] { return run(*options); };
}

const RegisterVerb registered{"bundle", declare};

}  // namespace
}  // namespace hinny

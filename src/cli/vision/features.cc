#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "cli/vision/preset_option.h"
#include "data/dataset.h"
#include "data/dataset_path.h"
#include "pretrained/networks_of.h"
#include "vision/extract.h"
#include "vision/network.h"

namespace hinny {
namespace {

struct FeaturesOptions {
  std::string folder;
  std::string encoder = "builtin";
  std::string preprocess;
  std::string preset;
  ExtractOptions extract;
  std::string part;
  bool merge = false;
  bool json = false;
};

void print_json(const ExtractReport& report) {
  const auto list = [](const std::vector<SkippedPicture>& pictures) {
    nlohmann::json all = nlohmann::json::array();
    for (const SkippedPicture& picture : pictures) {
      all.push_back({{"image", picture.image}, {"why", picture.why}});
    }
    return all;
  };
  const nlohmann::json result = {{"file", report.file.string()},
                                 {"images", report.rows},
                                 {"shape", report.shape},
                                 {"already_there", report.already_there},
                                 {"skipped", list(report.skipped)},
                                 {"incomplete", list(report.incomplete)},
                                 {"without_row", report.without_row}};
  put_json(result);
}

void print_text(const ExtractReport& report) {
  print_line(stdout, "{}: {} images x {}{}\n", report.file.string(), report.rows,
             fmt::join(report.shape, " x "), report.already_there ? ", already there" : "");
}

void name_skipped(const ExtractReport& report) {
  constexpr std::size_t kMostNamed = 20;
  const auto name = [&](const char* what, const std::vector<SkippedPicture>& pictures) {
    for (std::size_t i = 0; i < std::min(pictures.size(), kMostNamed); ++i) {
      print_line(stderr, "{} '{}': {}\n", what, pictures[i].image, pictures[i].why);
    }
    if (pictures.size() > kMostNamed) {
      print_line(stderr, "... and {} more\n", pictures.size() - kMostNamed);
    }
  };
  const std::size_t count = report.skipped.size();
  name("read in part:", report.incomplete);
  name("skipped", report.skipped);
  if (count > 0) print_line(stderr, "{} pictures skipped\n", count);
  if (report.without_row > 0) {
    print_line(stderr, "warning: {} images of the dataset have no features\n", report.without_row);
  }
}

int extract(FeaturesOptions& options) {
  if (!options.part.empty()) options.extract.part = Part::parse(options.part);
  const Dataset dataset = Dataset::load(find_dataset(options.folder));
  const NamedNetworks networks({options.encoder});
  if (networks.files().size() != 1) {
    throw InputError(options.encoder, fmt::format("holds {} networks", networks.files().size()),
                     "one: the features of each by itself");
  }
  const std::string network = networks.files().front().string();
  const std::unique_ptr<PictureEncoder> encoder = options.preset.empty()
                                                      ? open_encoder(network, options.preprocess)
                                                      : encoder_by_preset(network, options.preset);
  const ExtractReport report = options.merge ? merge_features(dataset, *encoder, options.extract)
                                             : extract_features(dataset, *encoder, options.extract);
  name_skipped(report);
  options.json ? print_json(report) : print_text(report);
  return 0;
}

std::function<int()> declare_features(CLI::App& command) {
  auto options = std::make_shared<FeaturesOptions>();
  Modes modes(command);
  const Modes::Set merge = modes.with("--merge"), part = modes.with("--part"),
                   all = modes.otherwise("for all pictures");
  command
      .add_option("folder", options->folder,
                  "a dataset folder with images/, or its name inside $HINNY_DATA")
      ->required();
  command.add_option("--encoder", options->encoder,
                     "builtin, or a network: FILE.onnx, a bundle, a pretrained model's folder");
  auto* preprocess = command.add_option(
      "--preprocess", options->preprocess,
      "how pictures are prepared for the network (default: FILE.onnx.json beside it)");
  preprocess->always_capture_default(false);
  auto* preset =
      command
          .add_option(
              "--preset", options->preset,
              "prepare them as this kind of network expects it, and write that to FILE.onnx.json")
          ->always_capture_default(false);
  modes.acts(preset).apart_from({"--preprocess"});
  command
      .add_option("--name", options->extract.name,
                  "write features/NAME.npy (default: builtin-1, or the network's file name)")
      ->always_capture_default(false);
  modes
      .acts(command.add_option("--batch", options->extract.batch, "pictures encoded together")
                ->check(CLI::Range(1, 4096)))
      .in(part | all);
  auto* one =
      command
          .add_option("--part", options->part,
                      "3/16: only the third of sixteen parts of the pictures, on any machine that "
                      "sees the folder")
          ->default_str("");
  modes.acts(one).in(part);
  auto* join = command.add_flag("--merge", options->merge, "join the parts, when all are there")
                   ->always_capture_default(false);
  modes.acts(join).in(merge);
  command.add_flag("--force", options->extract.force, "replace existing features");
  command.add_flag("--json", options->json, "print what was done as JSON");
  command.footer(
      preset_help() +
      "Pictures that cannot be read are skipped and named. All feature files of a folder share\n"
      "features/ids.txt: the first run writes it, later runs keep to it.\n"
      "Preprocessing files: docs/formats/encoder-sidecar.md. Networks run in " +
      network_runtime() +
      ".\n\n"
      "example:\n"
      "  hinny features photos --encoder builtin\n"
      "  hinny features photos --encoder clip.onnx --preset clip\n"
      "  hinny features photos --encoder ~/models/clip-vit-base-patch32\n"
      "  hinny features photos --encoder mobilenet_v2.onnx --preprocess mobilenet.json\n"
      "  hinny features photos --part 1/2; hinny features photos --part 2/2; hinny features photos "
      "--merge");
  return [options] { return extract(*options); };
}

const RegisterVerb features_verb{"features", declare_features};

}  // namespace
}  // namespace hinny

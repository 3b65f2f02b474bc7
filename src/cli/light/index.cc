// hinny index: a model and a dataset, or a folder of pictures -> a searchable collection.
#include "index/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "cli/light/indexed_images.h"
#include "cli/picture_reader.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "index/build_index.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path run, data, pictures, out;
  std::vector<fs::path> networks, translators;
  std::vector<std::string> splits = {"test"};
  std::string features;
  std::string weights = "int8";
  std::size_t sentences = 1000;
  bool json = false;
};

void name_some(const std::vector<PictureTree::LeftOut>& files) {
  constexpr std::size_t kMostNamed = 20;
  for (std::size_t i = 0; i < std::min(kMostNamed, files.size()); ++i) {
    fmt::print(stderr, "left out: {}: {}\n", files[i].path, files[i].why);
  }
  if (files.size() > kMostNamed) fmt::print(stderr, "... and {} more\n", files.size() - kMostNamed);
}

nlohmann::ordered_json as_json(const PictureReport& report) {
  const auto list = [](const std::vector<PictureTree::LeftOut>& files) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& file : files) all.push_back({{"path", file.path}, {"why", file.why}});
    return all;
  };
  return {{"images", report.images},
          {"added", report.added},
          {"changed", report.changed},
          {"moved", report.moved},
          {"copies", report.copies},
          {"removed", report.removed},
          {"kept", report.kept},
          {"encoded", report.encoded},
          {"broken", list(report.broken)},
          {"left_out", list(report.left_out)},
          {"other_formats", report.other_formats}};
}

// "3 new, 1 moved": the counts that are not 0.
std::string changes_of(const PictureReport& report) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(report.added, "new");
  add(report.copies, "copies of others");
  add(report.changed, "changed");
  add(report.moved, "moved");
  add(report.removed, "gone");
  add(report.kept, "as they were");
  return fmt::format("{}", fmt::join(parts, ", "));
}

int index_folder(const Options& options) {
  const PictureModel model = PictureModel::open(options.run, options.networks);
  const PictureReport report =
      index_pictures(model, options.pictures, weight_type(options.weights),
                     file_reader(model.model(), model.encoders()), options.out);
  name_some(report.left_out);
  name_some(report.broken);
  if (report.other_formats > 0) {
    fmt::print(stderr, "left out: {} files of other formats (expected JPEG, PNG, WebP)\n",
               report.other_formats);
  }
  if (options.json) {
    fmt::print("{}\n", as_json(report).dump(-1, ' ', false,
                                            nlohmann::ordered_json::error_handler_t::replace));
    return 0;
  }
  fmt::print("{}: {} pictures ({}); languages: {}\n", options.out.string(), report.images,
             changes_of(report), fmt::join(model.model().config().languages, ", "));
  fmt::print(stderr, "ask it: hinny search {} \"...\"\n", options.out.string());
  return 0;
}

int run(const Options& options) {
  if (!options.pictures.empty()) return index_folder(options);
  if (options.data.empty())
    throw InputError("nothing to index", "--data DATASET or --pictures FOLDER");
  check_replaceable(options.out, kContentsFile, "index");
  const Model model = Model::open(options.run);
  const Dataset dataset = Dataset::load(find_dataset(options.data));
  const std::string names =
      options.features.empty() ? model.config().features.names : options.features;
  const Features features = Features::open(dataset, names);
  const auto [images, splits] = images_to_index(dataset, features, options.splits);
  IndexInput input{images,
                   splits,
                   options.networks,
                   weight_type(options.weights),
                   options.sentences,
                   options.translators};
  std::optional<Features> regions;
  if (fs::exists(options.run / kLookFolder / kConfigFile)) {
    regions = regions_for(Model::open(options.run / kLookFolder), dataset, images);
  }
  if (regions) input.regions = &*regions;
  build_index(model, dataset, features, input, options.out);
  fmt::print("{}: {} images, {} numbers each{}; languages: {}\n", options.out.string(),
             input.images.size(), model.config().dim, regions ? " and a second look" : "",
             fmt::join(model.config().languages, ", "));
  fmt::print(stderr, "ask it: hinny search {} \"...\"\n", options.out.string());
  return 0;
}

std::function<int()> declare_index(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->run, "run folder with a trained model, or a bundle of one")
      ->required();
  auto* data =
      command.add_option("--data", options->data, "dataset folder with the images' features");
  command
      .add_option("--pictures", options->pictures,
                  "folder of pictures, with all folders below it: index them, or bring their index "
                  "up to date")
      ->excludes(data);
  command.add_option("--split", options->splits, "its images to index, or all")
      ->take_all()
      ->expected(1);
  command.add_option("--out,-o", options->out, "index folder to write")->required();
  command.add_option("--features", options->features,
                     "feature files to use (default: those of the training)");
  command.add_option("--weights", options->weights,
                     "how the index's copy of the model stores matrices: fp32, bf16, int8");
  command
      .add_option("--sentences", options->sentences,
                  "captions per language to keep, as the nearest sentences of a picture")
      ->check(CLI::Range(0, 1000000));
  command
      .add_option("--network", options->networks,
                  "FILE.onnx that made a feature file, so that pictures can be asked with")
      ->expected(1)
      ->take_all();
  command
      .add_option("--translator", options->translators,
                  "run folder of a model that translates (nmt, mmt), kept for search --translate")
      ->expected(1)
      ->take_all();
  command.add_flag("--json", options->json, "with --pictures: print what was done as JSON")
      ->always_capture_default(false);
  command.footer(
      "Later: hinny index add, hinny index update, hinny index remove (each with --help).\n\n"
      "With --pictures: the same command again.\n\n"
      "example:\n  hinny index runs/mule --data flickr8k --out photos\n"
      "  hinny index photo-model --pictures ~/Pictures --out mine\n"
      "  hinny search photos \"ein Hund springt ins Wasser\"");
  return [options] { return run(*options); };
}

const RegisterVerb registered{"index", declare_index};

}  // namespace
}  // namespace hinny

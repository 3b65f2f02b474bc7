// hinny eval of a bundle: the field's table for a model that searches, without libtorch.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/terminal_text.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/dataset.h"
#include "data/dataset_path.h"
#include "encoder/split_recall.h"
#include "index/bundle/bundle.h"
#include "vision/extract.h"
#include "vision/feature_rows.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct EvalBundleOptions {
  fs::path bundle;
  std::string data, split = "test", hubs = "on";
  std::vector<std::string> languages;
  int folds = 1;
  bool json = false, markdown = false;
};

// What features of the dataset's pictures are called: where its pictures are there, those that are
// made here by the bundle's networks, under names that no other network's have; else those that the
// model names.
std::string find_features(const Dataset& dataset, const PictureModel& pictures) {
  constexpr std::size_t kDigits = 8;
  bool has_pictures = false;
  for (std::size_t i = 0; i < dataset.images().size() && !has_pictures; ++i) {
    has_pictures = has_picture(dataset, static_cast<int>(i));
  }
  const FeatureSpec& features = pictures.model().config().features;
  if (!has_pictures) return features.names;
  std::vector<std::string> names;
  const auto encoders = open_encoders(features, pictures.encoders());
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    ExtractOptions how;
    const std::string identity = encoders[i]->identity();
    how.name = fmt::format("{}-{}", features.parts[i].name,
                           content_hash(std::string_view(identity)).substr(0, kDigits));
    names.push_back(how.name);
    const ExtractReport report = extract_features(dataset, *encoders[i], how);
    if (!report.already_there) print_line(stderr, "wrote {}\n", report.file.string());
  }
  return fmt::format("{}", fmt::join(names, "+"));
}

int eval_bundle(const EvalBundleOptions& options, const fs::path& folder) {
  const PictureModel pictures = PictureModel::open(folder, {});
  DatasetOptions how;
  how.languages = options.languages;
  const Dataset dataset = Dataset::load(find_dataset(options.data), how);
  const Features features = Features::open(dataset, find_features(dataset, pictures));
  if (static_cast<std::size_t>(features.dim()) != pictures.model().config().features.dim()) {
    throw InputError(
        dataset.folder(),
        fmt::format("features {} have {} numbers", features.names(), features.dim()),
        fmt::format("{}, which the model reads", pictures.model().config().features.dim()));
  }
  report_left_out(features, dataset.split(options.split), options.split);
  const RecallTable table = measure_split(pictures.model(), dataset, features, options.split,
                                          options.folds, options.hubs == "on");
  print_lines(stdout, options.json ? as_json(table) + "\n"
                                   : (options.markdown ? as_markdown(table) : as_text(table)));
  return 0;
}

std::function<int()> declare_eval_bundle(CLI::App& command) {
  const auto options = std::make_shared<EvalBundleOptions>();
  EvalBundleOptions& o = *options;
  const Modes modes(command);
  command.add_option("BUNDLE", o.bundle, "a bundle: a folder, or an archive")->required();
  command.add_option("--data", o.data, "dataset folder, or its name inside $HINNY_DATA")
      ->required();
  command.add_option("--split", o.split, "images to measure on");
  command.add_option("--languages", o.languages, "languages: en,de (default: all that both have)")
      ->delimiter(',');
  command.add_option("--folds", o.folds, "average over equal folds of the images (COCO 1K: 5)")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--hubs", o.hubs,
                  "off: plain scores of a model that remembers what lies near everything")
      ->check(CLI::IsMember({"on", "off"}));
  command.add_flag("--json", o.json, "print JSON");
  auto* markdown = command.add_flag("--markdown", o.markdown, "print a Markdown table");
  modes.acts(markdown).apart_from({"--json"});
  command.footer(
      "The dataset's pictures are encoded once, into features/ beside them; without pictures the "
      "features that it has are taken.\n\n"
      "example:\n  hinny eval clip --data photos\n"
      "  hinny eval photo-model.tar.gz --data flickr8k --json");
  return [options] {
    int code = 0;
    with_model_folder(options->bundle,
                      [&](const fs::path& folder) { code = eval_bundle(*options, folder); });
    return code;
  };
}

const RegisterVerb eval_bundle_verb{"eval", declare_eval_bundle};

}  // namespace
}  // namespace hinny

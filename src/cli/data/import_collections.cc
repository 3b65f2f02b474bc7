// Formats of published collections, one file or folder layout each.
#include <fmt/format.h>

#include <filesystem>

#include "cli/data/import_format.h"
#include "cli/modes.h"
#include "data/importers/coco.h"
#include "data/importers/crossmodal.h"
#include "data/importers/karpathy.h"
#include "data/importers/mule.h"
#include "data/importers/multi30k.h"
#include "data/importers/precomp.h"
#include "data/importers/xtd.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

void add_feature_options(CLI::App& command, FeatureOptions& options) {
  command.add_option("--name", options.name, "name of the features");
  command.add_flag("--float16", options.float16, "store the features in half the space");
}

void add_images_option(CLI::App& command, fs::path& folder) {
  command.add_option("--images", folder,
                     "folder of the pictures, which the dataset's images/ will be a link to");
}

}  // namespace

ImportFormat declare_multi30k(CLI::App& parent) {
  ImportFormat format(parent, "multi30k", "Multi30K's folders task1/ and task2/",
                      "dataset/data --out m30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<Multi30kOptions>();
  format.command()
      .add_option("SRC", *source, "folder with task1/ and task2/, or one of them")
      ->required();
  format.command().add_flag("--tokenised", options->tokenised, "read tok/, not raw/");
  format.reads([=](ImportWriter& writer) { import_multi30k(*source, *options, writer); },
               only(source));
  return format;
}

ImportFormat declare_karpathy(CLI::App& parent) {
  ImportFormat format(parent, "karpathy", "dataset_{flickr8k,flickr30k,coco}.json",
                      "dataset_coco.json --out coco --restval-as-train");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<KarpathyOptions>();
  format.command().add_option("SRC", *source, "the JSON file")->required();
  format.command().add_option("--lang", options->language, "language of the captions");
  format.command().add_flag("--tokenised", options->tokenised,
                            "read the tokens, not the sentences");
  format.command().add_flag("--restval-as-train", options->restval_as_train,
                            "put COCO's restval images into train");
  format.reads([=](ImportWriter& writer) { import_karpathy(*source, *options, writer); },
               only(source));
  return format;
}

ImportFormat declare_coco(CLI::App& parent) {
  ImportFormat format(parent, "coco", "COCO captions JSON, several files and languages together",
                      "captions_train2014.json stair_train.json --lang en --lang ja --out coco");
  struct Given {
    std::vector<fs::path> files;
    std::vector<std::string> splits;
    std::vector<std::string> languages;
    fs::path split_file;
    CocoOptions options;
  };
  auto given = std::make_shared<Given>();
  format.command().add_option("SRC", given->files, "JSON files")->required();
  once_each(format.command().add_option(
      "--split", given->splits,
      "split of all files, or once for each (default: as the file is called)"));
  once_each(
      format.command().add_option("--lang", given->languages, "language (default en), likewise"));
  CLI::App& command = format.command();
  command.add_option("--split-file", given->split_file,
                     "file that says images' splits; --split is then for those it lacks");
  command.add_flag("--tokenised", given->options.tokenised, "read \"tokenized_caption\" (STAIR)");
  format.reads(
      [=](ImportWriter& writer) {
        std::vector<CocoFile> files;
        const std::size_t count = given->files.size();
        for (std::size_t i = 0; i < count; ++i) {
          files.push_back({given->files[i], value_for(given->splits, i, count, "--split", ""),
                           value_for(given->languages, i, count, "--lang", "en")});
        }
        CocoOptions options = given->options;
        if (!given->split_file.empty()) options.splits = ImageSplits::read(given->split_file);
        import_coco(files, options, writer);
      },
      [=] { return given->files; });
  return format;
}

ImportFormat declare_crossmodal(CLI::App& parent) {
  ImportFormat format(parent, "crossmodal", "Crossmodal-3600: captions.jsonl, 36 languages",
                      "xm3600 --images xm3600/images --out crossmodal");
  struct Given {
    fs::path source, images;
    bool tokenised = false;
  };
  auto given = std::make_shared<Given>();
  format.command().add_option("SRC", given->source, "captions.jsonl, or its folder")->required();
  add_images_option(format.command(), given->images);
  format.command().add_flag("--tokenised", given->tokenised, "read \"caption/tokenized\"");
  format.reads(
      [=](ImportWriter& writer) {
        CrossmodalOptions options;
        options.tokenised = given->tokenised;
        if (!given->images.empty()) options.pictures = PictureFolder(given->images, {});
        import_crossmodal(given->source, options, writer);
      },
      [=] { return std::vector{given->source}; });
  return format;
}

ImportFormat declare_xtd(CLI::App& parent) {
  ImportFormat format(parent, "xtd", "XTD-10: a thousand of COCO's pictures in eleven languages",
                      "Cross-lingual-Test-Dataset-XTD10 --images coco --out xtd");
  auto source = std::make_shared<fs::path>();
  auto images = std::make_shared<fs::path>();
  format.command()
      .add_option("SRC", *source, "the repository's folder, or a folder of its files")
      ->required();
  add_images_option(format.command(), *images);
  format.reads(
      [=](ImportWriter& writer) {
        import_xtd(
            *source,
            images->empty() ? PictureFolder() : PictureFolder(*images, {"train2014", "val2014"}),
            writer);
      },
      only(source));
  return format;
}

ImportFormat declare_precomp(CLI::App& parent) {
  ImportFormat format(parent, "precomp", "VSE++ and SCAN: *_caps.txt with *_ims.npy",
                      "f30k_precomp --name bottom-up --float16 --out f30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<PrecompOptions>();
  auto number = std::make_shared<bool>(false);
  auto names = std::make_shared<fs::path>();
  format.command().add_option("SRC", *source, "folder with train_caps.txt and so on")->required();
  format.command().add_option("--lang", options->language, "language of the captions");
  format.command().add_option("--captions-per-image", options->captions_per_image,
                              "lines for each image");
  format.command().add_flag("--no-ids", *number, "number the images; ignore *_ids.txt");
  const CLI::Option* with_names = format.command().add_option(
      "--names", *names,
      "names of the pictures by the numbers in *_ids.txt: dataset_flickr30k.json or "
      "id_mapping.json");
  Modes(format.command()).acts(with_names).apart_from({"--no-ids"});
  add_feature_options(format.command(), options->features);
  format.reads(
      [=](ImportWriter& writer) {
        PrecompOptions chosen = *options;
        chosen.use_ids = !*number;
        if (!names->empty()) chosen.names = read_image_names(*names);
        import_precomp(*source, chosen, writer);
      },
      only(source));
  return format;
}

ImportFormat declare_mule(CLI::App& parent) {
  ImportFormat format(parent, "mule", "features, ids and tokenised text per language (after MULE)",
                      "mule_f30k --source fr=machine-translation --out f30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<MuleOptions>();
  format.command()
      .add_option("SRC", *source, "folder with train.ids, train.de.tok, train.npy ...")
      ->required();
  add_feature_options(format.command(), options->features);
  format.reads([=](ImportWriter& writer) { import_mule(*source, *options, writer); }, only(source));
  return format;
}

}  // namespace hinny

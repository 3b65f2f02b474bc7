// Formats whose lines name a picture and say something of it.
#include <fmt/format.h>

#include <filesystem>

#include "cli/data/import_format.h"
#include "data/importers/coco_cn.h"
#include "data/importers/csv.h"
#include "data/importers/flickr8k.h"
#include "data/importers/imagefolder.h"
#include "data/importers/jsonl.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// The formats whose rows name a picture and say something of it.
struct RowFormat {
  const char* name;
  const char* summary;
  const char* example;
  const char* source;
  const char* language;  // when nothing says another
  void (*import)(const fs::path&, const RowOptions&, ImportWriter&);
};

ImportFormat declare_rows(CLI::App& parent, const RowFormat& rows) {
  ImportFormat format(parent, rows.name, rows.summary, rows.example);
  auto source = std::make_shared<fs::path>();
  auto shares = std::make_shared<std::string>();
  auto options = std::make_shared<RowOptions>();
  options->language = rows.language;
  format.command().add_option("SRC", *source, rows.source)->required();
  format.command().add_option(
      "--lang", options->language,
      *rows.language == '\0' ? "language of rows that name none" : "language of the captions");
  format.command().add_option("--split-by", *shares,
                              "train/val/test shares for images without a split: 80/10/10");
  format.reads(
      [=, import = rows.import](ImportWriter& writer) {
        RowOptions chosen = *options;
        if (!shares->empty()) chosen.shares = parse_shares(*shares);
        import(*source, chosen, writer);
      },
      only(source));
  return format;
}

}  // namespace

ImportFormat declare_jsonl(CLI::App& parent) {
  ImportFormat format(parent, "jsonl",
                      "your own pictures: {\"image\",\"lang\",\"text\"} on each line",
                      "captions.jsonl --lang en --split-by 80/10/10 --out mine");
  struct Given {
    fs::path source;
    std::string shares;
    JsonlOptions options;
  };
  auto given = std::make_shared<Given>();
  format.command().add_option("SRC", given->source, "the JSONL file")->required();
  format.command().add_option("--lang", given->options.language, "language of lines without one");
  format.command().add_option("--split-by", given->shares,
                              "train/val/test shares for images without a split: 80/10/10");
  format.reads(
      [=](ImportWriter& writer) {
        JsonlOptions options = given->options;
        if (!given->shares.empty()) options.shares = parse_shares(given->shares);
        import_jsonl(given->source, options, writer);
      },
      [=] { return std::vector{given->source}; });
  return format;
}

ImportFormat declare_csv(CLI::App& parent) {
  return declare_rows(
      parent, {"csv", "a table: image,caption[,lang][,split], parted by ',', tabs, '|' or ';'",
               "captions.csv --lang en --split-by 80/10/10 --out mine",
               "the table, with a header (Kaggle's captions.txt, Flickr30k's results.csv)", "",
               import_csv});
}

ImportFormat declare_flickr8k(CLI::App& parent) {
  return declare_rows(parent, {"flickr8k", "Flickr8k.token.txt, with the split lists beside it",
                               "Flickr8k_text --out flickr8k", "Flickr8k.token.txt, or its folder",
                               "en", import_flickr8k});
}

ImportFormat declare_coco_cn(CLI::App& parent) {
  return declare_rows(parent,
                      {"coco-cn", "COCO-CN: imageid.human-written-caption.txt",
                       "coco-cn-version1805v1.1 --out coco-cn",
                       "the folder, or one of its files of captions", "zh", import_coco_cn});
}

ImportFormat declare_imagefolder(CLI::App& parent) {
  return declare_rows(parent, {"imagefolder", "Hugging Face's metadata.jsonl or metadata.csv",
                               "my_pictures --lang en --split-by 80/10/10 --out mine",
                               "the metadata file, or the folder of it or of train/, test/ ...", "",
                               import_imagefolder});
}

}  // namespace hinny

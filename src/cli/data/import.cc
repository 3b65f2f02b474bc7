// hinny import: captions in a known layout -> a dataset folder.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>  // second words are made, by more than App.hpp
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/verb.h"
#include "data/importers/coco.h"
#include "data/importers/csv.h"
#include "data/importers/flickr8k.h"
#include "data/importers/imagefolder.h"
#include "data/importers/jsonl.h"
#include "data/importers/karpathy.h"
#include "data/importers/mule.h"
#include "data/importers/multi30k.h"
#include "data/importers/precomp.h"
#include "data/importers/recognise.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// What every format takes.
struct Target {
  fs::path out;
  bool force = false;
  bool json = false;
  bool keep_repeats = false;
  std::vector<std::string> sources;
};

using Import = std::function<void(ImportWriter& writer)>;
using Sources = std::function<std::vector<fs::path>()>;  // what the user gave
using Work = std::function<int()>;

// Nobody's pictures may vanish: only a dataset without anything beside it is replaced.
void check_target(const Target& target) {
  if (!fs::exists(target.out)) return;
  if (!fs::is_directory(target.out)) throw InputError(target.out, "a file", "a folder");
  for (const auto& entry : fs::directory_iterator(target.out)) {
    const std::string name = entry.path().filename().string();
    if (name != "images.jsonl" && name != "captions.jsonl" && name != "features") {
      throw InputError(target.out, fmt::format("holds '{}', which would be lost", name),
                       "an empty or new folder");
    }
    if (!target.force) throw InputError(target.out, "holds a dataset", "--force to replace it");
  }
}

template <typename Counts>
std::string listed(const Counts& counts) {
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", name, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_places(const char* kind, const std::string& reason, const Skipped& skipped) {
  print_line(stdout, "{}: {}: {}\n", kind, reason, skipped.count);
  for (const std::string& place : skipped.places) print_line(stdout, "  {}\n", place);
  if (skipped.count > static_cast<std::int64_t>(skipped.places.size()))
    print_line(stdout, "  ...\n");
}

nlohmann::ordered_json json_of(const std::map<std::string, Skipped>& kinds) {
  auto result = nlohmann::ordered_json::array();
  for (const auto& [reason, skipped] : kinds) {
    result.push_back({{"reason", reason}, {"count", skipped.count}, {"places", skipped.places}});
  }
  return result;
}

void print_text(const fs::path& out, const ImportSummary& summary) {
  print_line(stdout, "{}: {} images ({})\n", out.string(), summary.images,
             listed(summary.images_by_split));
  print_line(stdout, "captions: {}\n",
             summary.captions.empty() ? "none" : listed(summary.captions));
  if (summary.images_without_captions > 0) {
    print_line(stdout, "images without captions (kept): {}\n", summary.images_without_captions);
  }
  if (!summary.features.empty()) {
    print_line(stdout, "features: {}, {}\n", summary.features,
               fmt::join(summary.feature_shape, "x"));
  }
  for (const auto& [reason, skipped] : summary.skipped) print_places("skipped", reason, skipped);
  for (const auto& [what, noted] : summary.notes) print_places("note", what, noted);
  if (summary.left_alone_count > 0) {
    const auto more =
        summary.left_alone_count - static_cast<std::int64_t>(summary.left_alone.size());
    print_line(stdout, "left alone: {}{} ({} file{})\n", fmt::join(summary.left_alone, ", "),
               more > 0 ? ", ..." : "", summary.left_alone_count,
               summary.left_alone_count == 1 ? "" : "s");
  }
}

void print_json(const fs::path& out, const ImportSummary& summary) {
  nlohmann::ordered_json result;
  result["out"] = out.string();
  result["images"] = summary.images;
  result["splits"] = summary.images_by_split;
  result["images_without_captions"] = summary.images_without_captions;
  result["captions"] = summary.captions;
  if (!summary.features.empty()) {
    result["features"] = {{"name", summary.features}, {"shape", summary.feature_shape}};
  }
  result["skipped"] = json_of(summary.skipped);
  result["notes"] = json_of(summary.notes);
  result["left_alone"] = {{"count", summary.left_alone_count}, {"files", summary.left_alone}};
  put_json(result);
}

// Of a source of another format the message names the importer that reads it.
void read_sources(const std::string& format, const Import& import, const Sources& sources,
                  ImportWriter& writer) {
  try {
    import(writer);
  } catch (const InputError& error) {
    for (const fs::path& source : sources()) {
      const std::string hint = other_format_hint(source, format);
      if (!hint.empty()) throw InputError(error.what() + hint);
    }
    throw;
  }
}

int run(const std::string& format, const Target& target, const Import& import,
        const Sources& given) {
  const SourceChoice sources(target.sources);
  check_target(target);
  AtomicFolder folder(target.out);
  ImportSummary summary;
  {
    ImportWriter writer(folder.path(), sources, target.keep_repeats);
    read_sources(format, import, given, writer);
    summary = writer.commit();
  }
  folder.commit();
  target.json ? print_json(target.out, summary) : print_text(target.out, summary);
  return 0;
}

// One format's subcommand, with the options that all formats have.
class Format {
 public:
  Format(CLI::App& parent, const char* name, const char* summary, const char* example)
      : command_(parent.add_subcommand(name, summary)) {
    command_->add_option("--out,-o", target_->out, "dataset folder to write")->required();
    command_->add_flag("--force", target_->force, "replace an existing dataset");
    command_->add_flag("--keep-repeats", target_->keep_repeats,
                       "keep captions that an image has twice in a language");
    command_->add_flag("--json", target_->json, "print the summary as JSON");
    command_
        ->add_option("--source", target_->sources,
                     "who wrote the captions, NAME or LANG=NAME: human-original, "
                     "human-translation, translation-edited, machine-translation, mmt")
        ->take_all()
        ->expected(1);
    command_->footer(fmt::format("example:\n  hinny import {} {}", name, example));
  }
  CLI::App& command() { return *command_; }
  std::string name() const { return command_->get_name(); }
  bool chosen() const { return command_->parsed(); }
  Work work(Import import, Sources sources) const {
    return [name = name(), target = target_, import = std::move(import),
            sources = std::move(sources)] { return run(name, *target, import, sources); };
  }

 private:
  CLI::App* command_;
  std::shared_ptr<Target> target_ = std::make_shared<Target>();
};

struct Choice {
  Format format;
  Import import;
  Sources sources;
};

Sources one(const std::shared_ptr<fs::path>& source) {
  return [=] { return std::vector{*source}; };
}

Choice declare_multi30k(CLI::App& parent) {
  Format format(parent, "multi30k", "Multi30K's folders task1/ and task2/",
                "dataset/data --out m30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<Multi30kOptions>();
  format.command()
      .add_option("SRC", *source, "folder with task1/ and task2/, or one of them")
      ->required();
  format.command().add_flag("--tokenised", options->tokenised, "read tok/, not raw/");
  return {format, [=](ImportWriter& writer) { import_multi30k(*source, *options, writer); },
          one(source)};
}

Choice declare_karpathy(CLI::App& parent) {
  Format format(parent, "karpathy", "dataset_{flickr8k,flickr30k,coco}.json",
                "dataset_coco.json --out coco --restval-as-train");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<KarpathyOptions>();
  format.command().add_option("SRC", *source, "the JSON file")->required();
  format.command().add_option("--lang", options->language, "language of the captions");
  format.command().add_flag("--tokenised", options->tokenised,
                            "read the tokens, not the sentences");
  format.command().add_flag("--restval-as-train", options->restval_as_train,
                            "put COCO's restval images into train");
  return {format, [=](ImportWriter& writer) { import_karpathy(*source, *options, writer); },
          one(source)};
}

// One value for all files, or one for each.
std::string value_for(const std::vector<std::string>& values, std::size_t index, std::size_t files,
                      const char* option, const char* fallback) {
  if (values.empty()) return fallback;
  if (values.size() == 1) return values[0];
  if (values.size() == files) return values[index];
  throw InputError(fmt::format("{} {} for {} files", values.size(), option, files),
                   "one for all, or one for each");
}

Choice declare_coco(CLI::App& parent) {
  Format format(parent, "coco", "COCO captions JSON, several files and languages together",
                "captions_train2014.json stair_train.json --lang en --lang ja --out coco");
  struct Given {
    std::vector<fs::path> files;
    std::vector<std::string> splits;
    std::vector<std::string> languages;
    CocoOptions options;
  };
  auto given = std::make_shared<Given>();
  format.command().add_option("SRC", given->files, "JSON files")->required();
  format.command()
      .add_option("--split", given->splits,
                  "split of all files, or once for each (default: as the file is called)")
      ->take_all()
      ->expected(1);
  format.command()
      .add_option("--lang", given->languages, "language (default en), likewise")
      ->take_all()
      ->expected(1);
  format.command().add_flag("--tokenised", given->options.tokenised,
                            "read \"tokenized_caption\" (STAIR)");
  return {format,
          [=](ImportWriter& writer) {
            std::vector<CocoFile> files;
            const std::size_t count = given->files.size();
            for (std::size_t i = 0; i < count; ++i) {
              files.push_back({given->files[i], value_for(given->splits, i, count, "--split", ""),
                               value_for(given->languages, i, count, "--lang", "en")});
            }
            import_coco(files, given->options, writer);
          },
          [=] { return given->files; }};
}

void add_feature_options(CLI::App& command, FeatureOptions& options) {
  command.add_option("--name", options.name, "name of the features");
  command.add_flag("--float16", options.float16, "store the features in half the space");
}

Choice declare_precomp(CLI::App& parent) {
  Format format(parent, "precomp", "VSE++ and SCAN: *_caps.txt with *_ims.npy",
                "f30k_precomp --name bottom-up --float16 --out f30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<PrecompOptions>();
  auto number = std::make_shared<bool>(false);
  format.command().add_option("SRC", *source, "folder with train_caps.txt and so on")->required();
  format.command().add_option("--lang", options->language, "language of the captions");
  format.command().add_option("--captions-per-image", options->captions_per_image,
                              "lines for each image");
  format.command().add_flag("--no-ids", *number, "number the images; ignore *_ids.txt");
  add_feature_options(format.command(), options->features);
  return {format,
          [=](ImportWriter& writer) {
            PrecompOptions chosen = *options;
            chosen.use_ids = !*number;
            import_precomp(*source, chosen, writer);
          },
          one(source)};
}

Choice declare_mule(CLI::App& parent) {
  Format format(parent, "mule", "features, ids and tokenised text per language (after MULE)",
                "mule_f30k --source fr=machine-translation --out f30k");
  auto source = std::make_shared<fs::path>();
  auto options = std::make_shared<MuleOptions>();
  format.command()
      .add_option("SRC", *source, "folder with train.ids, train.de.tok, train.npy ...")
      ->required();
  add_feature_options(format.command(), options->features);
  return {format, [=](ImportWriter& writer) { import_mule(*source, *options, writer); },
          one(source)};
}

Choice declare_jsonl(CLI::App& parent) {
  Format format(parent, "jsonl", "your own pictures: {\"image\",\"lang\",\"text\"} on each line",
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
  return {format,
          [=](ImportWriter& writer) {
            JsonlOptions options = given->options;
            if (!given->shares.empty()) options.shares = parse_shares(given->shares);
            import_jsonl(given->source, options, writer);
          },
          [=] { return std::vector{given->source}; }};
}

// The three formats whose rows name a picture and say something of it.
struct RowFormat {
  const char* name;
  const char* summary;
  const char* example;
  const char* source;
  const char* language;  // when nothing says another
  void (*import)(const fs::path&, const RowOptions&, ImportWriter&);
};

Choice declare_rows(CLI::App& parent, const RowFormat& rows) {
  Format format(parent, rows.name, rows.summary, rows.example);
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
  return {format,
          [=, import = rows.import](ImportWriter& writer) {
            RowOptions chosen = *options;
            if (!shares->empty()) chosen.shares = parse_shares(*shares);
            import(*source, chosen, writer);
          },
          one(source)};
}

Choice declare_csv(CLI::App& parent) {
  return declare_rows(
      parent, {"csv", "a table: image,caption[,lang][,split], parted by ',', tabs, '|' or ';'",
               "captions.csv --lang en --split-by 80/10/10 --out mine",
               "the table, with a header (Kaggle's captions.txt, Flickr30k's results.csv)", "",
               import_csv});
}

Choice declare_flickr8k(CLI::App& parent) {
  return declare_rows(parent, {"flickr8k", "Flickr8k.token.txt, with the split lists beside it",
                               "Flickr8k_text --out flickr8k", "Flickr8k.token.txt, or its folder",
                               "en", import_flickr8k});
}

Choice declare_imagefolder(CLI::App& parent) {
  return declare_rows(parent, {"imagefolder", "Hugging Face's metadata.jsonl or metadata.csv",
                               "my_pictures --lang en --split-by 80/10/10 --out mine",
                               "the metadata file, or the folder of it or of train/, test/ ...", "",
                               import_imagefolder});
}

// Called when words are left over: a format that does not exist, or an unknown option of one.
[[noreturn]] void refuse(const std::vector<Choice>& choices, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [format, import, sources] : choices) {
    names.push_back(format.name());
    if (!format.chosen()) continue;
    throw InputError(fmt::format("unknown argument '{}'", word),
                     fmt::format("those in hinny import {} --help", format.name()));
  }
  throw InputError(fmt::format("no format '{}'{}", word, did_you_mean(word, names)),
                   fmt::format("{}", fmt::join(names, ", ")));
}

Work declare_import(CLI::App& command) {
  // Formats are subcommands, so that each has its own options and help. What none of them takes
  // is collected and refused by us: the parser's own message names neither format nor word.
  command.fallthrough();
  command.allow_extras();
  command.footer(
      "example:\n  hinny import multi30k dataset/data --out m30k\n"
      "`hinny import FORMAT --help` shows a format's options");
  auto choices = std::make_shared<std::vector<Choice>>();
  for (auto* declare :
       {declare_multi30k, declare_karpathy, declare_coco, declare_precomp, declare_mule,
        declare_jsonl, declare_csv, declare_flickr8k, declare_imagefolder}) {
    choices->push_back(declare(command));
  }
  return [choices, &command] {
    const std::vector<std::string> rest = command.remaining(true);
    if (!rest.empty()) refuse(*choices, rest.front());
    for (const auto& [format, import, sources] : *choices) {
      if (format.chosen()) return format.work(import, sources)();
    }
    throw InputError("no format", "one of those in hinny import --help");
  };
}

const RegisterVerb registered{"import", declare_import};

}  // namespace
}  // namespace hinny

// What joins texts: parallel text, and dataset folders.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "cli/data/import_format.h"
#include "cli/modes.h"
#include "data/dataset_path.h"
#include "data/importers/datasets.h"
#include "data/importers/jsonl.h"
#include "data/importers/parallel.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// "1000/1000": images for val and for test.
DrawnSplits drawn_splits(const std::string& text) {
  DrawnSplits drawn;
  const char* const end = text.data() + text.size();
  const auto [slash, wrong] = std::from_chars(text.data(), end, drawn.val);
  bool good = wrong == std::errc() && slash != end && *slash == '/';
  if (good) {
    const auto [last, problem] = std::from_chars(slash + 1, end, drawn.test);
    good = problem == std::errc() && last == end;
  }
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto fits = [](std::int64_t count) { return count >= 0 && count <= kMost; };
  if (good && fits(drawn.val) && fits(drawn.test) && drawn.val + drawn.test > 0) return drawn;
  throw InputError(fmt::format("--draw {}", text), "images for val and test, such as 1000/1000");
}

}  // namespace

ImportFormat declare_parallel(CLI::App& parent) {
  ImportFormat format(parent, "parallel",
                      "parallel text without pictures: aligned files, a table of tabs, TMX",
                      "europarl.de-en --languages de,en --split-by 998/1/1 --out europarl\n"
                      "  hinny import parallel train dev --languages en,de,fr --out text\n"
                      "  hinny import parallel memory.tmx --split train --out memory",
                      false);
  struct Given {
    std::vector<fs::path> sources;
    std::vector<std::string> splits;
    std::string shares;
    ParallelOptions options;
  };
  auto given = std::make_shared<Given>();
  CLI::App& command = format.command();
  command
      .add_option("SRC", given->sources,
                  "PREFIX of files PREFIX.en, PREFIX.de ..., a .tsv, or a .tmx (.gz too)")
      ->required();
  once_each(
      command
          .add_option(
              "--languages", given->options.languages,
              "of the files, or of the table's columns (_ passes one over); of a TMX those to "
              "take (default: all)")
          ->delimiter(','));
  CLI::Option* split = once_each(command.add_option(
      "--split", given->splits,
      "split of all sources, or once for each (default: as the source is called)"));
  command.add_option("--split-by", given->shares,
                     "train/val/test shares instead, by the sentence: 98/1/1");
  Modes(command).acts(split).apart_from({"--split-by"});
  format.reads(
      [=](ImportWriter& writer) {
        ParallelOptions options = given->options;
        if (!given->shares.empty()) options.shares = parse_shares(given->shares);
        std::vector<ParallelSource> sources;
        const std::size_t count = given->sources.size();
        for (std::size_t i = 0; i < count; ++i) {
          sources.push_back({given->sources[i], value_for(given->splits, i, count, "--split", "")});
        }
        import_parallel(sources, options, writer);
      },
      [=] { return given->sources; });
  return format;
}

ImportFormat declare_dataset(CLI::App& parent) {
  ImportFormat format(parent, "dataset",
                      "dataset folders joined into one, and their splits drawn anew",
                      "coco coco-cn --draw 1000/1000 --having en,ja,zh --seed 1 --out coco3\n"
                      "  hinny import dataset f30k m30k --first-images --out f30k-de",
                      false);
  struct Given {
    std::vector<std::string> sources;
    std::string draw;
    std::vector<std::string> languages;
    std::uint64_t seed = 1;
    fs::path split_file;
    JoinOptions options;
  };
  auto given = std::make_shared<Given>();
  CLI::App& command = format.command();
  command.add_option("SRC", given->sources, "dataset folders, here or inside $HINNY_DATA")
      ->required();
  command.add_flag("--first-images", given->options.first_images,
                   "leave out images that the first dataset lacks");
  CLI::Option* draw = command.add_option(
      "--draw", given->draw, "draw VAL/TEST images for val and test; the others are in train");
  CLI::Option* having =
      once_each(command
                    .add_option("--having", given->languages,
                                "of images with captions in each of these languages: en,ja,zh")
                    ->delimiter(','));
  CLI::Option* seed =
      command.add_option("--seed", given->seed, "random seed: others draw other images");
  command.add_option("--split-file", given->split_file, "file that says images' splits");
  CLI::Option* split = command.add_option("--split", given->options.split,
                                          "split of images that --split-file lacks");
  Modes modes(command);
  modes.acts(draw).apart_from({"--split-file"});
  modes.acts(having).beside({"--draw"});
  modes.acts(seed).beside({"--draw"});
  modes.acts(split).beside({"--split-file"});
  format.reads(
      [=](ImportWriter& writer) {
        JoinOptions options = given->options;
        if (!given->split_file.empty()) options.splits = ImageSplits::read(given->split_file);
        if (!given->draw.empty()) {
          options.drawn = drawn_splits(given->draw);
          options.drawn->languages = given->languages;
          options.drawn->seed = given->seed;
        }
        std::vector<fs::path> folders;
        for (const std::string& name : given->sources) folders.push_back(find_dataset(name));
        import_datasets(folders, options, writer);
      },
      [=] { return std::vector<fs::path>(given->sources.begin(), given->sources.end()); });
  return format;
}

}  // namespace hinny

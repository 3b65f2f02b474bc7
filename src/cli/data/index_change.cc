// hinny index add, update, remove: a new version of a collection.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/terminal_text.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "index/folder/change_from_dataset.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct IndexChangeOptions {
  fs::path index, data;
  std::vector<std::string> splits = {"all"};
  std::vector<std::string> images;
  bool json = false;
};

void print(const IndexChangeOptions& options, const IndexChange& change) {
  if (options.json) {
    fmt::print(R"({{"added":{},"changed":{},"removed":{},"kept":{}}})"
               "\n",
               change.added, change.changed, change.removed, change.kept);
  } else {
    print_line(stdout, "{}: {} added, {} changed, {} removed, {} as they were\n",
               options.index.string(), change.added, change.changed, change.removed, change.kept);
  }
}

int change_with_dataset(const IndexChangeOptions& options, ChangeIndex change) {
  print(options, change_from_dataset(options.index, find_dataset(options.data), options.splits,
                                     change, report_left_out));
  return 0;
}

void add_common(CLI::App& command, IndexChangeOptions& options) {
  command.add_option("INDEX", options.index, "folder that `hinny index` wrote")->required();
  command.add_flag("--json", options.json, "print the counts as JSON")
      ->always_capture_default(false);
}

void add_dataset(CLI::App& command, IndexChangeOptions& options) {
  add_common(command, options);
  command
      .add_option("--data", options.data,
                  "dataset folder; its features are those that the index was made from")
      ->required();
  command.add_option("--split", options.splits, "its images, or all")->take_all()->expected(1);
}

constexpr const char* kSafety =
    "The index is replaced as a whole: whoever reads it keeps the old version until then.\n\n";

std::function<int()> declare_add(CLI::App& command) {
  command.description("add pictures to an index");
  const auto options = std::make_shared<IndexChangeOptions>();
  add_dataset(command, *options);
  command.footer(
      std::string("Images whose ids are there are replaced when their features differ. ") +
      kSafety + "example:\n  hinny index add photos --data holiday");
  return [options] { return change_with_dataset(*options, add_to_index); };
}

std::function<int()> declare_update(CLI::App& command) {
  command.description("make an index hold a dataset's pictures and no other");
  const auto options = std::make_shared<IndexChangeOptions>();
  add_dataset(command, *options);
  command.footer(std::string("Afterwards the index holds these images and no other; what did not "
                             "change is not encoded again.\n") +
                 kSafety + "example:\n  hinny index update photos --data flickr8k --split test");
  return [options] { return change_with_dataset(*options, update_index); };
}

std::function<int()> declare_remove(CLI::App& command) {
  command.description("take pictures out of an index");
  const auto options = std::make_shared<IndexChangeOptions>();
  add_common(command, *options);
  command.add_option("IMAGE", options->images, "ids, as search prints them")->required();
  command.footer(std::string(kSafety) + "example:\n  hinny index remove photos 1000268201");
  return [options] {
    print(*options, remove_from_index(options->index, options->images));
    return 0;
  };
}

const RegisterVerb add{"index add", declare_add};
const RegisterVerb update{"index update", declare_update};
const RegisterVerb remove_images{"index remove", declare_remove};

}  // namespace
}  // namespace hinny

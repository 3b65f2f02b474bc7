// hinny index merge: indexes of parts -> the index of all.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/atomic_folder.h"
#include "base/terminal_text.h"
#include "cli/verb.h"
#include "index/folder/index.h"
#include "index/folder/merge_index.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct IndexMergeOptions {
  std::vector<fs::path> parts;
  fs::path out;
  bool no_graph = false;
  bool json = false;
};

int merge(const IndexMergeOptions& options) {
  check_replaceable(options.out, kContentsFile, "index");
  const Graphs graphs = options.no_graph ? Graphs::none : Graphs::where_worth;
  const MergeReport report = merge_index(options.parts, graphs, options.out);
  if (options.json) {
    fmt::print("{{\"images\":{},\"parts\":{}}}\n", report.images, report.parts);
    return 0;
  }
  print_line(stdout, "{}: {} images of {} parts\n", options.out.string(), report.images,
             report.parts);
  print_line(stderr, "ask it: hinny search {} \"...\"\n", options.out.string());
  return 0;
}

std::function<int()> declare_merge(CLI::App& command) {
  command.description("join the parts of an index");
  const auto options = std::make_shared<IndexMergeOptions>();
  command
      .add_option("PART", options->parts, "folders that `hinny index --part` wrote, all of them")
      ->required();
  command.add_option("--out,-o", options->out, "index folder to write")->required();
  command
      .add_flag("--no-graph", options->no_graph, "leave out the graph that a large collection gets")
      ->always_capture_default(false);
  command.add_flag("--json", options->json, "print the counts as JSON")
      ->always_capture_default(false);
  command.footer(
      "The result is, byte for byte, what one `hinny index` without --part makes. Stopped, it "
      "leaves nothing\nbehind; the parts stay as they are.\n\n"
      "example:\n  hinny index runs/mule --data flickr8k --part 1/2 --out part.1\n"
      "  hinny index runs/mule --data flickr8k --part 2/2 --out part.2\n"
      "  hinny index merge part.1 part.2 --out photos");
  return [options] { return merge(*options); };
}

const RegisterVerb index_merge_verb{"index merge", declare_merge};

}  // namespace
}  // namespace hinny

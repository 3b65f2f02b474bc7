// hinny draw: the embedded default data set.
#include <fmt/format.h>

#include "base/terminal_text.h"
#include "cli/verb.h"
#include "data/drawn/drawn_set.h"
#include "data/drawn/grammar.h"

namespace hinny {
namespace {

int draw(const std::string& out, const drawn::SetOptions& options) {
  const auto outcome = drawn::draw_set(out, options);
  const auto captions = static_cast<std::size_t>(options.images) * drawn::kCaptionsPerLanguage *
                        drawn::languages().size();
  print_line(stdout, "{}: {} pictures, {} captions in {} languages{}\n", out, options.images,
             captions, drawn::languages().size(),
             outcome == drawn::Outcome::already_there ? " (already there)" : "");
  return 0;
}

std::function<int()> declare_draw(CLI::App& command) {
  const auto out = std::make_shared<std::string>();
  const auto options = std::make_shared<drawn::SetOptions>();
  command.add_option("--out", *out, "dataset folder to make")
      ->required()
      ->check([](const std::string& path) { return path.empty() ? "an empty name" : ""; }, "")
      ->always_capture_default(false);
  command.add_option("--images", options->images, "how many pictures")
      ->check(CLI::Range(drawn::kFewestImages, drawn::kMostImages));
  command.add_option("--seed", options->seed, "random seed: others draw other pictures")
      ->check([](const std::string& text) { return text[0] == '-' ? "below 0" : ""; }, "");
  command.footer(
      "The same seed and number give the same folder, byte for byte.\n\n"
      "example:\n  hinny draw --out drawn --images 1000");
  return [out, options] { return draw(*out, *options); };
}

const RegisterVerb draw_verb{"draw", declare_draw};

}  // namespace
}  // namespace hinny

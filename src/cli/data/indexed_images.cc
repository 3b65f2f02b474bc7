#include "cli/data/indexed_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/terminal_text.h"

namespace hinny {

std::optional<Features> regions_for(const Model& model, const Dataset& dataset,
                                    const std::vector<int>& images) {
  const std::string& names = model.config().features.names;
  try {
    Features features = Features::open(dataset, names);
    if (std::ranges::all_of(images, [&](int image) { return features.has(image); })) {
      return features;
    }
    print_line(stderr, "no re-ranking: some images lack features {}\n", names);
  } catch (const InputError& error) {
    print_line(stderr, "no re-ranking: {}\n", error.what());
  }
  return std::nullopt;
}

std::string part_text(const std::optional<Part>& part) {
  return part ? fmt::format("part {} of {}, ", part->number, part->total) : "";
}

void say_what_next(const std::optional<Part>& part, const std::filesystem::path& index) {
  if (part) {
    print_line(stderr, "with all of them: hinny index merge PART... --out INDEX\n");
  } else {
    print_line(stderr, "ask it: hinny search {} \"...\"\n", index.string());
  }
}

}  // namespace hinny

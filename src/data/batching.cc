#include "data/batching.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "text/language_code.h"

namespace hinny {

void check_options(const Dataset& dataset, const SamplerOptions& options) {
  const auto check = [](std::string_view what, int size) {
    if (size < 1) throw InputError(fmt::format("{} {}", size, what), "1 or more");
  };
  check("images per batch", options.images_per_batch);
  check("captions per image", options.captions_per_image);
  for (const auto& [code, captions] : options.captions_by_language) {
    trained_language(dataset, "captions per image in", code);
    check(fmt::format("captions per image in '{}'", code), captions);
  }
}

int trained_language(const Dataset& dataset, std::string_view what, const std::string& code) {
  if (!find_language(dataset.languages(), code)) {
    throw InputError(fmt::format("{} '{}', which is not a language of this training", what, code),
                     fmt::format("one of {}", fmt::join(dataset.languages(), ", ")));
  }
  return dataset.language(code);
}

std::int64_t batch_count(std::size_t items, std::size_t size, bool drop_last) {
  const std::size_t whole = items / size;
  const std::size_t all = whole + (items % size > 0 ? 1 : 0);
  return static_cast<std::int64_t>(drop_last ? std::max<std::size_t>(1, whole) : all);
}

}  // namespace hinny

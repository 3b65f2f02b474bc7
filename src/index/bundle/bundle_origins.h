// Where a bundle's model comes from: what was measured of it, and under which license it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hinny {

// What a training or a measurement wrote down.
struct RecordedRecall {
  std::string split;
  std::int64_t images = 0;                // 0: not known
  std::map<std::string, double> average;  // percent, of R@1, 5, 10 both ways, by language

  bool operator==(const RecordedRecall&) const = default;
};

// Of RUN/test.json, which `hinny eval RUN --json` wrote, or else of the training's best validation.
// None where there is neither, or it cannot be read.
std::optional<RecordedRecall> recorded_recall(const std::filesystem::path& run);

// "" where it may be an SPDX expression ("CC-BY-4.0", "MIT OR Apache-2.0", "LicenseRef-x"), else
// why not.
std::string why_no_license(std::string_view license);
// Whether each of its identifiers is one that models mostly come under.
bool is_known_license(std::string_view license);

}  // namespace hinny

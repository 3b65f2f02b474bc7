#include "index/bundle/bundle_origins.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/lines.h"
#include "base/read_file.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostOriginBytes = std::uint64_t{1} << 20;

// Those that models, networks and captions mostly come under; not the whole list of SPDX.
constexpr std::array<std::string_view, 36> kKnown = {"0BSD",
                                                     "AFL-3.0",
                                                     "AGPL-3.0-only",
                                                     "AGPL-3.0-or-later",
                                                     "Apache-2.0",
                                                     "BSD-2-Clause",
                                                     "BSD-3-Clause",
                                                     "BSL-1.0",
                                                     "CC-BY-3.0",
                                                     "CC-BY-4.0",
                                                     "CC-BY-NC-4.0",
                                                     "CC-BY-NC-ND-4.0",
                                                     "CC-BY-NC-SA-4.0",
                                                     "CC-BY-ND-4.0",
                                                     "CC-BY-SA-3.0",
                                                     "CC-BY-SA-4.0",
                                                     "CC0-1.0",
                                                     "CDLA-Permissive-2.0",
                                                     "ECL-2.0",
                                                     "EPL-2.0",
                                                     "EUPL-1.2",
                                                     "GPL-2.0-only",
                                                     "GPL-2.0-or-later",
                                                     "GPL-3.0-only",
                                                     "GPL-3.0-or-later",
                                                     "ISC",
                                                     "LGPL-2.1-or-later",
                                                     "LGPL-3.0-only",
                                                     "LGPL-3.0-or-later",
                                                     "MIT",
                                                     "MIT-0",
                                                     "MPL-2.0",
                                                     "ODbL-1.0",
                                                     "PDDL-1.0",
                                                     "Unlicense",
                                                     "Zlib"};

// Words of an expression; parentheses stand for spaces.
std::vector<std::string> words_of(std::string_view license) {
  std::vector<std::string> words(1);
  for (const char byte : license) {
    if (byte == ' ' || byte == '(' || byte == ')') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += byte;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool joins(std::string_view word) { return word == "AND" || word == "OR" || word == "WITH"; }

std::optional<RecordedRecall> of_test(const fs::path& file) {
  const json test = json::parse(read_file(file, kMostOriginBytes), nullptr, false);
  if (!test.is_object() || !test.value("languages", json()).is_object()) return std::nullopt;
  RecordedRecall recall;
  recall.split = test.value("split", "");
  recall.images = test.value("images", std::int64_t{0});
  for (const auto& [language, row] : test["languages"].items()) {
    recall.average[language] = row.at("mean_recall").get<double>();
  }
  return recall;
}

// The best line is that of the model that the run kept.
std::optional<RecordedRecall> of_training(const fs::path& file) {
  std::optional<RecordedRecall> recall;
  double best = -1;
  for_each_line(file, [&](std::string_view text, std::size_t) {
    const json line = json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("validation")) return;
    const double score = line["validation"].get<double>();
    if (score <= best) return;
    best = score;
    recall = {"val", 0, line.at("languages").get<std::map<std::string, double>>()};
  });
  return recall;
}

bool can_be(const RecordedRecall& recall) {
  return !recall.average.empty() && recall.images >= 0 && recall.split.size() < 100 &&
         std::ranges::all_of(recall.split, [](char byte) { return byte > ' ' && byte < '\x7f'; }) &&
         std::ranges::all_of(recall.average,
                             [](const auto& row) { return row.second >= 0 && row.second <= 100; });
}

}  // namespace

std::optional<RecordedRecall> recorded_recall(const fs::path& run) {
  // These files are beside the model and not of it: whatever is wrong with them, it can be used.
  try {
    std::optional<RecordedRecall> recall;
    if (fs::exists(run / "test.json")) recall = of_test(run / "test.json");
    if (!recall && fs::exists(run / "metrics.jsonl")) recall = of_training(run / "metrics.jsonl");
    if (recall && can_be(*recall)) return recall;
  } catch (const json::exception&) {
  } catch (const InputError&) {
  }
  return std::nullopt;
}

std::string why_no_license(std::string_view license) {
  const std::vector<std::string> words = words_of(license);
  for (const std::string& word : words) {
    const bool plain = std::ranges::all_of(word, [](char byte) {
      return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
             (byte >= '0' && byte <= '9') || byte == '.' || byte == '-' || byte == '+';
    });
    if (!plain) return "'" + word + "' is no identifier";
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (joins(words[i]) == (i % 2 == 1)) continue;
    return joins(words[i]) ? "'" + words[i] + "' joins nothing"
                           : "nothing joins '" + words[i] + "' to what is before it";
  }
  if (words.size() % 2 == 0) return words.empty() ? "is empty" : "ends with '" + words.back() + "'";
  return "";
}

bool is_known_license(std::string_view license) {
  return std::ranges::all_of(words_of(license), [](std::string_view word) {
    if (word.ends_with('+')) word.remove_suffix(1);
    return joins(word) || word.starts_with("LicenseRef-") ||
           std::ranges::find(kKnown, word) != kKnown.end();
  });
}

}  // namespace hinny

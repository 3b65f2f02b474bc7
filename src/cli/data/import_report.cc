#include "cli/data/import_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/terminal_text.h"
#include "cli/json_output.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

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

}  // namespace

void print_import(const fs::path& out, const ImportSummary& summary) {
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

void print_import_json(const fs::path& out, const ImportSummary& summary) {
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

}  // namespace hinny

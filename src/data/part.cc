#include "data/part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>

#include "base/atomic_file.h"
#include "base/checksums.h"
#include "base/error.h"
#include "base/lines.h"
#include "data/json_fields.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostParts = 100'000;
constexpr std::size_t kMostNamed = 20;

// A whole number without signs; 0 for anything else.
std::size_t count_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

void check_complete(const std::map<std::size_t, fs::path>& found, std::size_t total) {
  if (found.size() == total) return;
  std::vector<std::size_t> missing;
  for (std::size_t i = 1; i <= total && missing.size() < kMostNamed; ++i) {
    if (!found.contains(i)) missing.push_back(i);
  }
  const std::size_t more = total - found.size() - missing.size();
  throw InputError(fmt::format("missing of {} parts: {}{}", total, fmt::join(missing, ", "),
                               more > 0 ? fmt::format(" and {} more", more) : ""),
                   "each of them once");
}

}  // namespace

Part Part::parse(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const Part part{count_of(text.substr(0, slash)),
                  slash < text.size() ? count_of(text.substr(slash + 1)) : 0};
  if (part.number >= 1 && part.number <= part.total && part.total <= kMostParts) return part;
  throw InputError(fmt::format("part '{}'", text),
                   fmt::format("3/16: from 1/N to N/N, N at most {}", kMostParts));
}

Part::Range Part::range(std::size_t count) const {
  return {count * (number - 1) / total, count * number / total};
}

std::string Part::text() const { return fmt::format("{}/{}", number, total); }

void write_part_record(const fs::path& folder, const PartRecord& record) {
  write_file(folder / kPartFile, fmt::format("{{\"part\": \"{}\", \"whole\": \"{}\"}}\n",
                                             record.part.text(), record.whole));
}

std::optional<PartRecord> read_part_record(const fs::path& folder) {
  const fs::path path = folder / kPartFile;
  if (!fs::exists(path)) return std::nullopt;
  check_if_listed(folder, kPartFile);
  JsonFields fields(path, {"part", "whole"});
  PartRecord record;
  std::size_t lines = 0;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    if (++lines > 1) throw InputError(path, line, "a second line", "one");
    fields.read(text, line);
    record = {Part::parse(fields.required(0)), fields.required(1)};
  });
  if (lines == 0) throw InputError(path, "is empty", R"({"part": "3/16", "whole": ...})");
  return record;
}

std::vector<fs::path> parts_in_order(const std::vector<fs::path>& folders) {
  std::map<std::size_t, fs::path> found;
  std::optional<PartRecord> first;
  for (const fs::path& folder : folders) {
    const auto record = read_part_record(folder);
    if (!record) throw InputError(folder, "is no part", "what --part wrote");
    if (!first) first = record;
    if (record->part.total != first->part.total) {
      throw InputError(folder, fmt::format("is part {}", record->part.text()),
                       fmt::format("one of {}, as {} is", first->part.total, folders[0].string()));
    }
    if (record->whole != first->whole) {
      throw InputError(folder,
                       fmt::format("is a part of something else than {}", folders[0].string()),
                       "parts of the same things, all made with the same settings");
    }
    const auto [same, is_new] = found.emplace(record->part.number, folder);
    if (!is_new) {
      throw InputError(folder, fmt::format("is part {}", record->part.text()),
                       fmt::format("each once; {} is it, too", same->second.string()));
    }
  }
  if (!first) throw InputError("no parts", "what --part wrote");
  check_complete(found, first->part.total);
  std::vector<fs::path> ordered;
  for (auto& [number, folder] : found) ordered.push_back(std::move(folder));
  return ordered;
}

}  // namespace hinny

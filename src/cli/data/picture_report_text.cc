#include "cli/data/picture_report_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/path_text.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

// "1 film", "2 raw pictures": those that there are.
class Counts {
 public:
  void add(std::size_t count, const char* one, const char* which = "") {
    if (count == 0) return;
    parts_.push_back(fmt::format("{} {}{}{}", count, one, count == 1 ? "" : "s", which));
  }
  // "1 film, 2 raw pictures and 1 other file"
  std::string text() const {
    if (parts_.size() < 2) return fmt::format("{}", fmt::join(parts_, ""));
    return fmt::format("{} and {}", fmt::join(parts_.begin(), parts_.end() - 1, ", "),
                       parts_.back());
  }

 private:
  std::vector<std::string> parts_;
};

std::string rule_of(const PictureTree::Ignored& ignored) {
  if (ignored.by == "usual") return fmt::format("{}, which programs make", ignored.rule);
  if (ignored.by == "hidden") return "names that begin with a dot";
  if (ignored.by == "motion") return "photographs of their names, which they show in motion";
  return ignored.rule.empty() ? ignored.by : fmt::format("{} of {}", ignored.rule, ignored.by);
}

ordered_json list_of(const std::vector<PictureTree::LeftOut>& files) {
  ordered_json all = ordered_json::array();
  for (const auto& file : files) {
    all.push_back({{"path", path_text(file.path)}, {"why", path_text(file.why)}});
  }
  return all;
}

}  // namespace

std::string ignored_text(const PictureTree::Ignored& ignored) {
  Counts counts;
  counts.add(ignored.folders, "folder");
  counts.add(ignored.files, ignored.by == "motion" ? "film" : "picture");
  return fmt::format("{} by {}: {}{}", counts.text(), rule_of(ignored), ignored.example,
                     ignored.folders + ignored.files == 1 ? "" : ", ...");
}

std::string images_text(const PictureReport& report) {
  const std::string pictures = fmt::format("{} pictures", report.images - report.frames);
  if (report.films == 0) return pictures;
  return fmt::format("{} and {} frames of {}", pictures, report.frames, films_text(report.films));
}

std::string films_text(std::size_t films) {
  return fmt::format("{} film{}", films, films == 1 ? "" : "s");
}

std::string not_read_text(const FilesNotRead& files) {
  Counts counts;
  counts.add(files.films, "film");
  counts.add(files.other_pictures, "picture", " of other formats");
  counts.add(files.others, "other file");
  return counts.text();
}

std::string changes_text(const PictureReport& report) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(report.added, "new");
  add(report.copies, "copies of others");
  add(report.changed, "changed");
  add(report.moved, "moved");
  add(report.returned, "back again");
  add(report.removed, "gone");
  add(report.kept, "as they were");
  return fmt::format("{}", fmt::join(parts, ", "));
}

ordered_json report_json(const PictureReport& report) {
  ordered_json ignored = ordered_json::array();
  for (const PictureTree::Ignored& one : report.ignored) {
    ignored.push_back({{"by", path_text(one.by)},
                       {"rule", path_text(one.rule)},
                       {"folders", one.folders},
                       {"files", one.files},
                       {"example", path_text(one.example)}});
  }
  return {{"images", report.images},
          {"added", report.added},
          {"changed", report.changed},
          {"moved", report.moved},
          {"returned", report.returned},
          {"copies", report.copies},
          {"removed", report.removed},
          {"kept", report.kept},
          {"encoded", report.encoded},
          {"away", report.away},
          {"broken", list_of(report.broken)},
          {"incomplete", list_of(report.incomplete)},
          {"left_out", list_of(report.left_out)},
          {"ignored", std::move(ignored)},
          {"indexed_films", report.films},
          {"frames", report.frames},
          {"films", report.not_read.films},
          {"raw", report.raw},
          {"named_places", report.named},
          {"other_formats", report.not_read.other_pictures},
          {"other_files", report.not_read.others}};
}

}  // namespace hinny

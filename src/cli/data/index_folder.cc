#include "cli/data/index_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>

#include "base/day.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/terminal_text.h"
#include "cli/data/indexed_images.h"
#include "cli/json_output.h"
#include "cli/picture_reader.h"
#include "index/folder/away.h"
#include "index/pictures/index_pictures.h"
#include "index/tree/tree_watch.h"
#include "vision/picture.h"

namespace hinny {
namespace {

void name_some(const char* what, const std::vector<PictureTree::LeftOut>& files) {
  constexpr std::size_t kMostNamed = 20;
  for (std::size_t i = 0; i < std::min(kMostNamed, files.size()); ++i) {
    print_line(stderr, "{}: {}: {}\n", what, files[i].path, files[i].why);
  }
  if (files.size() > kMostNamed) print_line(stderr, "... and {} more\n", files.size() - kMostNamed);
}

// "2 folders and 3 pictures"
std::string counts_of(const PictureTree::Ignored& ignored) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* one) {
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"));
  };
  add(ignored.folders, "folder");
  add(ignored.files, "picture");
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string rule_of(const PictureTree::Ignored& ignored) {
  if (ignored.by == "usual") return fmt::format("{}, which programs make", ignored.rule);
  if (ignored.by == "hidden") return "names that begin with a dot";
  return ignored.rule.empty() ? ignored.by : fmt::format("{} of {}", ignored.rule, ignored.by);
}

// "12 films and 3 raw pictures"
std::string not_read_text(const FilesNotRead& files) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* one) {
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"));
  };
  add(files.films, "film");
  add(files.raw, "raw picture");
  add(files.other_pictures, "picture");
  if (files.other_pictures > 0) parts.back() += " of other formats";
  add(files.others, "other file");
  if (parts.size() < 2) return fmt::format("{}", fmt::join(parts, ""));
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

nlohmann::ordered_json as_json(const PictureReport& report) {
  nlohmann::ordered_json ignored = nlohmann::ordered_json::array();
  for (const PictureTree::Ignored& one : report.ignored) {
    ignored.push_back({{"by", path_text(one.by)},
                       {"rule", path_text(one.rule)},
                       {"folders", one.folders},
                       {"files", one.files},
                       {"example", path_text(one.example)}});
  }
  const auto list = [](const std::vector<PictureTree::LeftOut>& files) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& file : files)
      all.push_back({{"path", path_text(file.path)}, {"why", path_text(file.why)}});
    return all;
  };
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
          {"broken", list(report.broken)},
          {"incomplete", list(report.incomplete)},
          {"left_out", list(report.left_out)},
          {"ignored", std::move(ignored)},
          {"films", report.not_read.films},
          {"raw", report.not_read.raw},
          {"other_formats", report.not_read.raw + report.not_read.other_pictures},
          {"other_files", report.not_read.others}};
}

// "3 new, 1 moved": the counts that are not 0.
std::string changes_of(const PictureReport& report) {
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

void print_json(const PictureReport& report) { put_json(as_json(report)); }

class FolderIndexing {
 public:
  explicit FolderIndexing(const FolderOptions& options)
      : options_(options),
        model_(PictureModel::open(options.model, options.networks)),
        reader_(file_reader(model_.model(), model_.encoders())) {
    if (options.weights_given && model_.is_bundle()) {
      throw InputError("--weights with a bundle, whose matrices are stored already",
                       "a run folder, or no --weights");
    }
  }

  int once() {
    tell(update({}));
    return 0;
  }

  // A change that cannot be taken up is named, and tried again.
  int follow() {
    try {
      for (bool first = true;; first = false) {
        watch_.start_walk();
        const bool failed = !try_update(first);
        if (!failed) watch_.end_walk();
        say_once(problem_, watch_.problem(), "; looking every minute as well");
        if (!watch_.wait(failed)) break;
      }
    } catch (const Interrupted& stop) {
      print_line(stderr, "{}\n", stop.what());
      return 0;
    }
    print_line(stderr, "stopped\n");
    return 0;
  }

 private:
  PictureReport update(const VisitFolder& visit) const {
    return index_pictures(
        model_,
        {options_.pictures, options_.weights, options_.graphs, options_.part, options_.exclude},
        reader_, options_.out, visit);
  }

  bool try_update(bool first) {
    try {
      const PictureReport report = update([this](const auto& folder) { watch_.add(folder); });
      failure_.clear();
      first ? tell(report) : tell_change(report);
      if (first) print_line(stderr, "following {}; Ctrl-C ends it\n", options_.pictures.string());
      std::fflush(stdout);
      return true;
    } catch (const NoPictures& error) {
      say_once(failure_, error.what(), "; waiting for some");
    } catch (const InputError& error) {
      if (first) throw;
      say_once(failure_, error.what(), "; trying again every minute");
    } catch (const Failure& error) {
      if (first) throw;
      say_once(failure_, error.what(), "; trying again every minute");
    } catch (const std::system_error& error) {  // of a file system: a share that is away, say
      if (first) throw Failure(error.what());
      say_once(failure_, error.what(), "; trying again every minute");
    }
    return false;
  }

  static void say_once(std::string& said, const std::string& what, const char* then) {
    if (what != said && !what.empty()) print_line(stderr, "{}{}\n", what, then);
    said = what;
  }

  // Of files that cannot be read, those that were not named before.
  void name_new(const PictureReport& report) {
    std::set<std::string> now;
    std::vector<PictureTree::LeftOut> fresh;
    for (const auto* files : {&report.left_out, &report.broken}) {
      for (const PictureTree::LeftOut& file : *files) {
        now.insert(file.path + '\0' + file.why);
        if (!named_.contains(file.path + '\0' + file.why)) fresh.push_back(file);
      }
    }
    name_some("left out", fresh);
    name_some("read in part", report.incomplete);
    if (!report.incomplete.empty()) {
      print_line(stderr, "{} pictures read in part\n", report.incomplete.size());
    }
    named_ = std::move(now);
  }

  void tell(const PictureReport& report) {
    name_new(report);
    for (const PictureTree::Ignored& one : report.ignored) {
      print_line(stderr, "left out: {} by {}: {}\n", counts_of(one), rule_of(one),
                 one.folders + one.files == 1 ? one.example : one.example + ", ...");
    }
    if (const std::string files = not_read_text(report.not_read); !files.empty()) {
      print_line(stderr, "not read: {} (expected {})\n", files, kPictureFormats);
    }
    tell_of_away(report);
    if (options_.json) return print_json(report);
    print_line(stdout, "{}: {}{} pictures ({}); languages: {}\n", options_.out.string(),
               part_text(options_.part), report.images, changes_of(report),
               fmt::join(model_.model().config().languages, ", "));
    say_what_next(options_.part, options_.out);
  }

  void tell_of_away(const PictureReport& report) {
    if (report.away == away_) return;
    away_ = report.away;
    if (away_ == 0) return;
    print_line(stderr,
               "{} pictures whose folders are gone or empty: kept for {} days, should these come "
               "back\n",
               away_, kAwayDays);
  }

  void tell_change(const PictureReport& report) {
    name_new(report);
    tell_of_away(report);
    if (report.kept == report.images && report.removed == 0) return;
    if (options_.json) print_json(report);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    print_line(stderr, "{} {}: {} pictures ({})\n",
               time_text(wall_clock(std::chrono::duration_cast<std::chrono::seconds>(now).count())),
               options_.out.string(), report.images, changes_of(report));
  }

  const FolderOptions& options_;
  PictureModel model_;
  PictureReader reader_;
  TreeWatch watch_;
  std::set<std::string> named_;
  std::string problem_, failure_;
  std::size_t away_ = 0;  // as last told
};

}  // namespace

int index_folder(const FolderOptions& options) {
  FolderIndexing indexing(options);
  return options.watch ? indexing.follow() : indexing.once();
}

}  // namespace hinny

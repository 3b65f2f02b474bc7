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
#include "base/terminal_text.h"
#include "cli/data/indexed_images.h"
#include "cli/data/picture_report_text.h"
#include "cli/json_output.h"
#include "film/film_stream.h"
#include "index/folder/away.h"
#include "index/pictures/index_pictures.h"
#include "index/tree/tree_watch.h"
#include "vision/picture.h"
#include "vision/picture_reader.h"

namespace hinny {
namespace {

void name_some(const char* what, const std::vector<PictureTree::LeftOut>& files) {
  constexpr std::size_t kMostNamed = 20;
  for (std::size_t i = 0; i < std::min(kMostNamed, files.size()); ++i) {
    print_line(stderr, "{}: {}: {}\n", what, files[i].path, files[i].why);
  }
  if (files.size() > kMostNamed) print_line(stderr, "... and {} more\n", files.size() - kMostNamed);
}

class FolderIndexing {
 public:
  explicit FolderIndexing(const FolderOptions& options)
      : options_(options),
        model_(PictureModel::open(options.model, options.networks)),
        reader_(open_picture_reader(model_.model().config().features, model_.encoders())) {
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
    return index_pictures(model_,
                          {options_.pictures, options_.weights, options_.graphs, options_.codes,
                           options_.part, options_.exclude, options_.film_frames, options_.towns},
                          *reader_, options_.out, visit);
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

  void tell_of_towns(const PictureReport& report) const {
    if (!report.towns_gone.empty()) {
      print_line(stderr,
                 "{} is gone, by which places have names: they keep them, new ones get none "
                 "(--places FILE)\n",
                 report.towns_gone);
    } else if (report.named > 0) {
      print_line(stderr, "{} images have the name of where they were taken\n", report.named);
    }
  }

  void tell(const PictureReport& report) {
    name_new(report);
    for (const PictureTree::Ignored& one : report.ignored) {
      print_line(stderr, "left out: {}\n", ignored_text(one));
    }
    if (report.raw > 0) {
      print_line(stderr, "{} raw files beside a JPEG of their names: one picture each with that\n",
                 report.raw);
    }
    tell_of_unread(report);
    tell_of_away(report);
    tell_of_towns(report);
    if (options_.json) return put_json(report_json(report));
    print_line(stdout, "{}: {}{} ({}); languages: {}\n", options_.out.string(),
               part_text(options_.part), images_text(report), changes_text(report),
               fmt::join(model_.model().config().languages, ", "));
    say_what_next(options_.part, options_.out);
  }

  void tell_of_unread(const PictureReport& report) {
    if (report.lacks_film_reader) {
      print_line(stderr, "{} left out: {} is not installed\n", films_text(report.not_read.films),
                 film::kProgram);
    }
    FilesNotRead others = report.not_read;
    if (report.lacks_film_reader) others.films = 0;
    if (const std::string files = not_read_text(others); !files.empty()) {
      print_line(stderr, "not read: {} (expected {})\n", files, kPictureFormats);
    }
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
    const std::size_t files = report.images - report.frames + report.films;
    if (report.kept == files && report.removed == 0) return;
    if (options_.json) put_json(report_json(report));
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    print_line(stderr, "{} {}: {} ({})\n",
               time_text(local_time(std::chrono::duration_cast<std::chrono::seconds>(now).count())),
               options_.out.string(), images_text(report), changes_text(report));
  }

  const FolderOptions& options_;
  PictureModel model_;
  std::unique_ptr<const PictureReader> reader_;
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

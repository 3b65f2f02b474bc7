#include "translation/augment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/interrupt.h"
#include "base/lines.h"
#include "base/run_files.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAtOnce = 1024;  // captions between two notes of what is done

std::vector<std::string_view> names_of(const std::set<Source>& sources) {
  std::vector<std::string_view> names;
  names.reserve(sources.size());
  for (const Source source : sources) names.push_back(source_name(source));
  return names;
}

class Augmentation {
 public:
  Augmentation(TranslationExperiment& experiment, const fs::path& run, fs::path out,
               const AugmentOptions& options)
      : e_(experiment),
        out_(std::move(out)),
        partial_(out_.string() + ".partial"),
        options_(options),
        model_(content_hash(run / kWeightsFile)) {
    choose();
    header_ = nlohmann::json{{"model", model_},
                             {"captions", content_hash(e_.dataset.folder() / "captions.jsonl")},
                             {"direction", options.direction.name()},
                             {"beam", options.search.beam},
                             {"length_power", options.search.length_power},
                             {"splits", options.splits},
                             {"sources", names_of(options.sources)},
                             {"count", chosen_.size()}}
                  .dump();
  }

  Augmented run() {
    if (fs::exists(out_)) throw InputError(out_, "is there already", "another --out");
    begin();
    Progress progress("translate", chosen_.size(), done_.size());
    while (done_.size() < chosen_.size()) {
      if (interrupted()) {
        throw Interrupted(
            fmt::format("stopped after caption {} of {}; the same command with --resume goes on",
                        done_.size(), chosen_.size()));
      }
      translate_some(progress);
    }
    write();
    return result_;
  }

 private:
  void choose() {
    const int from = e_.dataset.language(options_.direction.from);
    const auto& captions = e_.dataset.captions();
    for (std::size_t i = 0; i < captions.size(); ++i) {
      const Caption& caption = captions[i];
      const Image& image = e_.dataset.images()[static_cast<std::size_t>(caption.image)];
      if (caption.language != from || !options_.splits.contains(image.split)) continue;
      if (options_.sources.empty() ? !written_by_people(caption.source)
                                   : !options_.sources.contains(caption.source)) {
        continue;
      }
      if (e_.model.sees() && !e_.features->has(caption.image)) {
        ++result_.unseen;
      } else {
        chosen_.push_back(i);
      }
    }
    if (chosen_.empty()) {
      throw InputError(fmt::format("{}: no captions in '{}' to translate",
                                   e_.dataset.folder().string(), options_.direction.from),
                       "captions by people in these splits, or other --sources and --splits");
    }
  }

  // What an earlier call has done: a header and a line for each caption.
  void begin() {
    if (!fs::exists(partial_)) {
      write_file(partial_, header_ + "\n");
      return;
    }
    if (!options_.resume) {
      throw InputError(partial_, "is of an interrupted augmentation", "--resume, or without it");
    }
    bool same = false;
    for_each_line(partial_, [&](std::string_view line, std::size_t number) {
      if (number == 1) {
        same = line == header_;
      } else if (done_.size() < chosen_.size()) {
        done_.emplace_back(line);
      }
    });
    if (!same) {
      throw InputError(partial_, "was begun with another model, dataset or options",
                       "the same ones, or without it");
    }
  }

  const Caption& caption(std::size_t number) const {
    return e_.dataset.captions()[chosen_[number]];
  }

  void translate_some(Progress& progress) {
    const std::size_t first = done_.size();
    const std::size_t count = std::min(kAtOnce, chosen_.size() - first);
    std::vector<std::string> sentences;
    std::vector<int> images;
    for (std::size_t i = 0; i < count; ++i) {
      sentences.push_back(caption(first + i).text);
      images.push_back(caption(first + i).image);
    }
    for (auto& found : translate(e_.model, options_.direction, sentences, options_.search,
                                 e_.regions_of(images), &progress)) {
      done_.push_back(found.empty() ? "" : std::move(found.front().text));
    }
    std::string text = header_ + "\n";
    for (const std::string& line : done_) text += line + "\n";
    write_file(partial_, text);
  }

  void write() {
    AtomicFolder folder(out_);
    copy_whole_file(e_.dataset.folder() / "images.jsonl", folder.path() / "images.jsonl");
    for (const char* part : {"features", "images"}) link_all(part, folder.path());
    AtomicFile captions(folder.path() / "captions.jsonl");
    for_each_line(e_.dataset.folder() / "captions.jsonl", [&](std::string_view line, std::size_t) {
      captions.write(line);
      captions.write("\n");
    });
    for (std::size_t i = 0; i < done_.size(); ++i) {
      if (done_[i].empty()) {
        ++result_.untranslated;
        continue;
      }
      captions.write(line_of(i) + "\n");
      ++result_.captions;
    }
    captions.commit();
    folder.commit();
    fs::remove(partial_);
  }

  std::string line_of(std::size_t number) const {
    const Caption& original = caption(number);
    nlohmann::ordered_json line;
    line["image"] = e_.dataset.images()[static_cast<std::size_t>(original.image)].id;
    line["lang"] = options_.direction.to;
    line["text"] = done_[number];
    line["source"] = source_name(e_.model.sees() ? Source::mmt : Source::machine_translation);
    line["model"] = model_;
    line["translated_from"] = options_.direction.from;
    line["original"] = original.text;
    return line.dump();
  }

  void link_all(const std::string& part, const fs::path& to) const {
    const fs::path from = e_.dataset.folder() / part;
    if (!fs::is_directory(from)) return;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
      const fs::path target = to / part / fs::relative(entry.path(), from);
      if (entry.is_directory()) {
        create_folder(target);
        continue;
      }
      create_folder(target.parent_path());
      std::error_code problem;
      fs::create_hard_link(fs::canonical(entry.path()), target, problem);
      if (problem) copy_whole_file(entry.path(), target);
    }
  }

  TranslationExperiment& e_;
  fs::path out_, partial_;
  const AugmentOptions& options_;
  std::string model_, header_;
  std::vector<std::size_t> chosen_;  // positions in Dataset::captions()
  std::vector<std::string> done_;    // their translations, in order
  Augmented result_;
};

}  // namespace

Augmented augment(TranslationExperiment& experiment, const fs::path& run, const fs::path& out,
                  const AugmentOptions& options) {
  return Augmentation(experiment, run, out, options).run();
}

}  // namespace hinny

#include "index/pictures/index_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/progress.h"
#include "film/film_stream.h"
#include "index/folder/away.h"
#include "index/folder/growing.h"
#include "index/folder/index_entries.h"
#include "index/folder/write_index.h"
#include "index/pictures/earlier_index.h"
#include "index/pictures/encoded_pictures.h"
#include "index/pictures/known_before.h"
#include "index/pictures/picture_changes.h"
#include "index/pictures/picture_contents.h"
#include "index/pictures/store_picture_model.h"
#include "index/pictures/town_names.h"
#include "index/tree/film_frames.h"
#include "index/tree/picture_records.h"
#include "vision/picture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kReadAtOnce = 1024;  // files of a turn
constexpr std::size_t kSyncEvery = 512;    // encoded pictures

class Indexing {
 public:
  Indexing(const PictureModel& model, const PicturesInput& input, const fs::path& folder,
           const VisitFolder& visit)
      : model_(model), input_(input), folder_(without_slash(folder)) {
    check_replaceable(folder_, kContentsFile, "index");
    const std::string stored_as = model.is_bundle() ? "" : fmt::format(" {}", int(input.weights));
    hash_ = content_hash(std::string_view(model.hash() + stored_as));
    open_before();
    const bool is_new = !fs::exists(folder_ / kContentsFile);
    grows_ = !input.part && (is_new || (before_ && fs::exists(folder_ / kGrowingFile)));
    if (input.exclude) exclude_ = *input.exclude;
    if (input.film_frames) film_frames_ = *input.film_frames;
    std::erase(exclude_, "");
    tree_ = find_pictures(input.pictures, visit, exclude_, film_frames_ > 0);
  }

  PictureReport run(const PictureReader& reader) {
    version_ = reader.version();
    known_.emplace(before_ ? &*before_ : nullptr, version_, film_frames_);
    list_files();
    if (!reader.reads_films()) leave_out_films();
    if (files_.empty()) {
      throw NoPictures(tree_.root,
                       report_.lacks_film_reader
                           ? fmt::format("no picture below it, and {} films that {} would read, "
                                         "which is not installed",
                                         tree_.not_read.films, film::kProgram)
                           : "no picture below it",
                       expected());
    }
    codes_ = before_ && !input_.codes ? before_->index().contents().codes
                                      : codes_for(input_.codes, files_.size());
    if (input_.part) take_part();
    EncodedPictures encoded(folder_.string() + ".part", hash_, features_dim());
    read_and_encode(reader, encoded);
    now_ = known_by_now(encoded);
    count_files();
    if (now_.entries.empty() && !input_.part) {
      encoded.remove();
      throw NoPictures(tree_.root,
                       fmt::format("none of {} files below it is a picture that can be read: {}",
                                   now_.files.size(), now_.files.front().broken),
                       expected());
    }
    report_.images = now_.entries.size();
    report_.away = now_.away.files.size();
    count_changes(now_.files, before_ ? &*before_ : nullptr, report_);
    if (!is_as_before() || has_other_codes() || has_unwanted_graph() ||
        fs::exists(folder_ / kGrowingFile)) {
      write(now_, encoded);
    } else if (!knows_as_before()) {
      write_records_alone();
    }
    encoded.remove();
    if (towns_->is_gone()) report_.towns_gone = towns_->list().file;
    report_.left_out = tree_.left_out;
    report_.ignored = tree_.ignored;
    report_.not_read = tree_.not_read;
    return std::move(report_);
  }

 private:
  // What an index is made of.
  struct Version {
    std::vector<PictureRecord> files;  // by name
    std::vector<IndexEntry> entries;   // of those that are images
    AwayPictures away;
  };
  using Clock = std::chrono::steady_clock;
  // Some of the files, one behind the other, and how many come after them.
  struct Turn {
    std::size_t begin, end, after;
    std::span<PictureRecord> of(std::vector<PictureRecord>& files) const {
      return std::span(files).subspan(begin, end - begin);
    }
  };

  static std::string expected() { return fmt::format("{} files", kPictureFormats); }
  std::size_t features_dim() const { return model_.model().config().features.dim(); }

  void open_before() {
    auto records = read_picture_records(folder_);
    std::error_code error;
    const bool same_root = records && fs::canonical(input_.pictures, error) == records->root;
    towns_.emplace(input_.towns, same_root ? &*records : nullptr);
    if (!records) return;
    if (same_root) {
      exclude_ = records->exclude;
      film_frames_ = records->film_frames.value_or(film_frames_);
    }
    if (records->model != hash_) return;
    if (hubs_hash(folder_ / "encoder") != hubs_hash(model_.model().folder())) return;
    before_.emplace(folder_, std::move(*records));
  }

  // What the tree holds, and what lies where it could not be read.
  void list_files() {
    for (const TreePicture& picture : tree_.pictures) {
      files_.push_back({picture.file, picture.size, picture.modified, "", {}, "", "", picture.raw});
    }
    if (!before_ || before_->records().root != tree_.root || input_.part) return;
    const Unseen unseen(tree_);
    for (const PictureRecord& record : before_->records().files) {
      if (!unseen.holds(record.file)) continue;
      files_.push_back(record);
      cannot_retry_ = true;
    }
    std::ranges::sort(files_, {}, &PictureRecord::file);
  }

  // All but what the index has as it is.
  void leave_out_films() {
    std::erase_if(files_, [this](const PictureRecord& file) {
      if (!is_film(file.file)) return false;
      const PictureRecord* old = known_->unchanged(file);
      if (old != nullptr && !old->frames.empty() && !known_->other_frames()) return false;
      report_.lacks_film_reader = true;
      tree_.not_read.count(FileKind::film);
      return true;
    });
  }

  // Of all files those of the part that was asked for.
  void take_part() {
    std::string names = "pictures\n" + tree_.root.string() + "\n";
    for (const PictureRecord& file : files_) names += file.file + "\n";
    part_ = {*input_.part, content_hash(std::string_view(names))};
    const auto [begin, end] = input_.part->range(files_.size());
    files_ = {files_.begin() + static_cast<std::ptrdiff_t>(begin),
              files_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  // A new index is read and encoded by turns, so that it grows from the beginning on; else all is
  // read before the first picture is encoded.
  void read_and_encode(const PictureReader& reader, EncodedPictures& encoded) {
    const std::size_t step = grows_ ? kReadAtOnce : files_.size();
    show_at_ = Clock::now() + input_.growing_pause.least;
    for (Turn turn{0, 0, 0}; turn.end < files_.size();) {
      turn.begin = turn.end;
      turn.end = std::min(turn.begin + step, files_.size());
      turn.after = files_.size() - turn.end;
      read_contents(turn, reader);
      encode_new(turn, reader, encoded);
      encode_new_films(turn, reader, encoded);
    }
  }

  // Hashes of what is new, or has another size or time than before, and what it says; the latter
  // also of what another reader found less in.
  void read_contents(const Turn& turn, const PictureReader& reader) {
    std::vector<PictureRecord*> unknown;
    for (PictureRecord& file : turn.of(files_)) {
      if (const PictureRecord* old = known_->unchanged(file)) {
        file.content = old->content;
        file.facts = old->facts;
        file.town = old->town;
      }
      const bool readable = !is_film(file.file) || reader.reads_films();
      if (file.content.empty() || (known_->other_reader() && may_say_more(file) && readable)) {
        unknown.push_back(&file);
      }
    }
    Progress progress("read", turn.begin + unknown.size() + turn.after, turn.begin);
    hinny::read_contents(tree_.root, unknown, reader, progress);
    towns_->name(turn.of(files_));
  }

  // What an interrupted run keeps frames of a film under: another number of them is asked for anew.
  std::string film_key(const std::string& content) const {
    return content_hash(std::string_view(fmt::format("{} {}", content, film_frames_)));
  }

  // Files of new content.
  struct Fresh {
    std::vector<fs::path> paths;
    std::vector<std::string> contents;
    std::size_t earlier = 0;  // others, of turns before or that an interrupted run has encoded
  };
  Fresh fresh_files(const Turn& turn, const EncodedPictures& encoded, bool frames) {
    Fresh fresh;
    fresh.earlier = turn.begin;
    for (const PictureRecord& file : turn.of(files_)) {
      if (known_->by_frames(file) != frames || !file.broken.empty() || known_->knows(file) ||
          !seen_[frames].insert(file.content).second) {
        continue;
      }
      if (frames ? encoded.film(film_key(file.content)) != nullptr
                 : encoded.find(file.content).has_value()) {
        ++fresh.earlier;
        continue;
      }
      fresh.paths.push_back(tree_.root / file.file);
      fresh.contents.push_back(file.content);
    }
    return fresh;
  }

  // Whether what was read of a file is of this content; else keeps why not.
  bool was_read(bool readable, const fs::path& path, const std::string& content,
                const std::string& why) {
    if (!readable) {
      (holds(path, content) ? why_broken_ : why_lost_)[content] = why;
    } else if (!still_holds(tree_, path, content)) {
      why_lost_[content] = "changed while it was read";
      return false;
    }
    return readable;
  }

  void encode_new(const Turn& turn, const PictureReader& reader, EncodedPictures& encoded) {
    const auto [paths, contents, earlier] = fresh_files(turn, encoded, false);
    if (paths.empty()) return;
    Progress progress("pictures", earlier + paths.size() + turn.after, earlier);
    reader.features_of(
        paths, [&, &paths = paths, &contents = contents](
                   std::size_t i, std::span<const float> features, const std::string& note) {
          if (was_read(!features.empty(), paths[i], contents[i], note)) {
            if (!note.empty()) report_.incomplete.push_back({paths[i].string(), note});
            encoded.add(contents[i], features);
            if (encoded.size() % kSyncEvery == 0) encoded.sync();
            ++report_.encoded;
          }
          if (grows_ && Clock::now() >= show_at_) show(encoded);
          progress.add();
        });
  }

  void encode_new_films(const Turn& turn, const PictureReader& reader, EncodedPictures& encoded) {
    const auto [paths, contents, earlier] = fresh_files(turn, encoded, true);
    if (paths.empty()) return;
    Progress progress("films", earlier + paths.size() + turn.after, earlier);
    reader.frames_of(paths, film_frames_,
                     [&, &paths = paths, &contents = contents](
                         std::size_t i, const FilmFrames& frames, const std::string& note) {
                       if (was_read(!frames.at.empty(), paths[i], contents[i], note)) {
                         encoded.add_film(film_key(contents[i]), frames.at, frames.features);
                         encoded.sync();
                         report_.encoded += frames.at.size();
                       }
                       if (grows_ && Clock::now() >= show_at_) show(encoded);
                       progress.add();
                     });
  }

  // Where the vectors of a file's images are encoded: none where the index has them; nullopt where
  // they are not known yet. Gives a file that is images by its frames these.
  std::optional<std::vector<int>> rows_of(const EncodedPictures& encoded,
                                          PictureRecord& file) const {
    std::vector<int> rows;
    if (!known_->by_frames(file)) {
      if (known_->kept(file.content)) return rows;
      const auto row = encoded.find(file.content);
      if (!row) return std::nullopt;
      rows.push_back(*row);
    } else if (const auto* frames = known_->frames(file.content)) {
      file.frames = *frames;
    } else {
      const auto* film = encoded.film(film_key(file.content));
      if (film == nullptr) return std::nullopt;
      file.frames.clear();
      for (const auto& [at, row] : *film) {
        file.frames.push_back(at);
        rows.push_back(row);
      }
    }
    return rows;
  }

  // Of the files that are known by now, which are images, each with where its vector comes from.
  Version known_by_now(const EncodedPictures& encoded) const {
    Version version;
    for (PictureRecord file : files_) {
      if (file.content.empty() && file.broken.empty()) continue;  // not yet read
      if (const std::string* why = known_->why_broken(file.content)) file.broken = *why;
      const auto why_broken = why_broken_.find(file.content);
      if (why_broken != why_broken_.end()) file.broken = why_broken->second;
      if (const auto why = why_lost_.find(file.content); why != why_lost_.end()) {
        file.broken = why->second;
        file.content.clear();  // so that it is read again next time; till then nothing is known
        file.facts = {};
        file.town.clear();
      }
      if (file.broken.empty()) {
        const auto rows = rows_of(encoded, file);
        if (!rows) continue;
        auto row = rows->begin();
        for (auto& [id, content] : file.images()) {
          IndexEntry entry{std::move(id), tree_.root / file.file, content.substr(0, 16), {}, -1};
          if (row == rows->end()) {
            entry.kept = known_->kept(content);
          } else {
            entry.fresh = *row++;
          }
          version.entries.push_back(std::move(entry));
        }
      }
      version.files.push_back(std::move(file));
    }
    if (before_ && !input_.part && before_->records().root == tree_.root) {
      version.away = away_pictures(tree_.root, version.files, *before_);
    }
    return version;
  }

  void count_files() {
    for (const PictureRecord& file : now_.files) {
      if (!file.broken.empty()) report_.broken.push_back({file.file, file.broken});
      report_.raw += file.raw.size();
      report_.films += file.frames.empty() ? 0 : 1;
      report_.frames += file.frames.size();
      report_.named += file.town.empty() ? 0 : file.image_count();
    }
  }

  // Lets a new index be searched with what there is of it.
  void show(const EncodedPictures& encoded) {
    const auto start = Clock::now();
    const Version version = known_by_now(encoded);
    grows_ = version.entries.size() < worth_graph(codes_);
    if (!version.entries.empty() && grows_) write(version, encoded, files_.size());
    const auto end = Clock::now();
    const auto& [least, times] = input_.growing_pause;
    show_at_ = end + std::max<Clock::duration>(least, times * (end - start));
  }

  // All of the index but when its files were changed, when they were taken, and what is broken.
  bool is_as_before() const {
    return before_ && before_->records().root == tree_.root && read_part_record(folder_) == part_ &&
           same_images(now_.files, before_->records().files) &&
           same_images(now_.away.files, before_->away());
  }

  bool knows_as_before() const {
    return before_->records().reader == reader_of_all() && before_->records().exclude == exclude_ &&
           before_->records().film_frames == film_frames_ &&
           before_->records().town_list == towns_->list() &&
           same_records(now_.files, before_->records().files);
  }

  // What could not be tried again just now is to be the next time.
  std::string reader_of_all() const {
    return known_->other_reader() && cannot_retry_ ? before_->records().reader : version_;
  }
  PictureRecords records(std::vector<PictureRecord> files) const {
    auto towns = towns_->of(files);
    return {tree_.root, hash_,        std::move(files), reader_of_all(),
            exclude_,   film_frames_, towns_->list(),   std::move(towns)};
  }

  void write_records_alone() const {
    AtomicFolder target(folder_);
    take_over_but(kPictureRecordsFile, folder_, target.path());
    write_picture_records(target.path(), records(now_.files));
    commit_index(target, folder_);
  }

  // `expected`: so many there are to be, of a version that is not the last.
  void write(const Version& version, const EncodedPictures& encoded, std::size_t expected = 0) {
    AtomicFolder target(folder_);
    IndexContents contents;
    const bool goes_on = before_ || first_;
    if (goes_on) {
      take_over(folder_, target.path());
      contents = before_ ? before_->index().contents() : *first_;
    } else {
      first_ = contents = store_picture_model(model_, input_.weights, target.path());
    }
    contents.codes = codes_;
    const Model model = Model::open(target.path() / "encoder");
    const FreshFeatures features{
        features_dim(),
        [&](std::span<const int> rows, std::span<float> out) { encoded.gather(rows, out); }};
    write_entries(model, features, version.entries, contents, graphs(), target.path(),
                  before_ ? &before_->index() : nullptr);
    write_picture_records(target.path(), records(version.files));
    if (!version.away.files.empty()) {
      write_away(target.path(), contents, records(version.away.files), version.away.kept);
    }
    if (expected > 0) write_growing(target.path(), expected);
    if (part_) write_part_record(target.path(), *part_);
    commit_index(target, goes_on ? folder_ : fs::path());
  }

  bool has_other_codes() const { return before_ && before_->index().contents().codes != codes_; }

  bool has_unwanted_graph() const {
    return before_ && input_.graphs == Graphs::none && !before_->index().contents().graphs.empty();
  }

  Graphs graphs() const {
    if (part_ || input_.graphs == Graphs::none) return Graphs::none;
    const bool was_part = before_ && read_part_record(folder_);
    return before_ && !was_part ? graphs_of(before_->index()) : input_.graphs;
  }

  const PictureModel& model_;
  const PicturesInput& input_;
  fs::path folder_;
  std::string hash_;
  std::optional<EarlierIndex> before_;  // of the same model
  std::optional<KnownBefore> known_;
  std::vector<std::string> exclude_;
  int film_frames_ = kUsualFilmFrames;
  std::optional<TownNames> towns_;
  PictureTree tree_;
  std::string version_;        // of the reader
  bool cannot_retry_ = false;  // what lies in a folder that cannot be read
  int codes_ = kInt8;
  std::optional<PartRecord> part_;
  std::vector<PictureRecord> files_;           // by name
  std::array<std::set<std::string>, 2> seen_;  // contents of pictures; of those by frames
  std::unordered_map<std::string, std::string> why_broken_;  // by content
  std::unordered_map<std::string, std::string> why_lost_;    // likewise: gone before it was decoded
  bool grows_ = false;                  // versions are shown before the last one
  Clock::time_point show_at_;           // the next one
  std::optional<IndexContents> first_;  // of a new index, once one of its versions is written
  Version now_;
  PictureReport report_;
};

}  // namespace

PictureReport index_pictures(const PictureModel& model, const PicturesInput& input,
                             const PictureReader& reader, const fs::path& folder,
                             const VisitFolder& visit) {
  return Indexing(model, input, folder, visit).run(reader);
}

}  // namespace hinny

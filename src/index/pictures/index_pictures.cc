#include "index/pictures/index_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/interrupt.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "base/threads.h"
#include "film/film_stream.h"
#include "index/bundle/picture_encoders.h"
#include "index/folder/away.h"
#include "index/folder/index_entries.h"
#include "index/folder/write_index.h"
#include "index/pictures/earlier_index.h"
#include "index/pictures/encoded_pictures.h"
#include "index/pictures/picture_changes.h"
#include "index/tree/film_frames.h"
#include "index/tree/picture_records.h"
#include "vision/picture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kReadAtOnce = 1024;  // files between two looks at Ctrl-C
constexpr std::size_t kSyncEvery = 512;    // encoded pictures

// The model's hash does not cover what it remembers, which stands behind each vector all the same.
std::string hubs_hash(const fs::path& model) {
  return fs::exists(model / kHubsFile) ? content_hash(model / kHubsFile) : "";
}

class Indexing {
 public:
  Indexing(const PictureModel& model, const PicturesInput& input, const fs::path& folder,
           const VisitFolder& visit)
      : model_(model), input_(input), folder_(without_slash(folder)) {
    check_replaceable(folder_, kContentsFile, "index");
    const std::string stored_as = model.is_bundle() ? "" : fmt::format(" {}", int(input.weights));
    hash_ = content_hash(std::string_view(model.hash() + stored_as));
    open_before();
    if (input.exclude) exclude_ = *input.exclude;
    if (input.film_frames) film_frames_ = *input.film_frames;
    std::erase(exclude_, "");
    tree_ = find_pictures(input.pictures, visit, exclude_, film_frames_ > 0);
  }

  PictureReport run(const PictureReader& reader) {
    version_ = reader.version();
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
    if (input_.part) take_part();
    read_contents(reader);
    EncodedPictures encoded(folder_.string() + ".part", hash_, features_dim());
    encode_new(reader, encoded);
    encode_new_films(reader, encoded);
    finish_records(encoded);
    if (entries_.empty() && !input_.part) {
      encoded.remove();
      throw NoPictures(tree_.root,
                       fmt::format("none of {} files below it is a picture that can be read: {}",
                                   files_.size(), files_.front().broken),
                       expected());
    }
    if (before_ && !input_.part && before_->records().root == tree_.root) {
      away_ = away_pictures(tree_.root, files_, *before_);
    }
    report_.away = away_.files.size();
    count_changes(files_, before_ ? &*before_ : nullptr, report_);
    if (!same_images() || has_unwanted_graph()) {
      write(encoded);
    } else if (!same_records()) {
      write_records_alone();
    }
    encoded.remove();
    report_.left_out = tree_.left_out;
    report_.ignored = tree_.ignored;
    report_.not_read = tree_.not_read;
    return std::move(report_);
  }

 private:
  static std::string expected() { return fmt::format("{} files", kPictureFormats); }
  std::size_t features_dim() const { return model_.model().config().features.dim(); }

  void open_before() {
    auto records = read_picture_records(folder_);
    if (!records) return;
    std::error_code error;
    if (fs::canonical(input_.pictures, error) == records->root) {
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
      files_.push_back({picture.file, picture.size, picture.modified, "", {}, "", ""});
    }
    if (!before_ || before_->records().root != tree_.root || input_.part) return;
    std::set<std::string> hidden;
    for (const auto& left_out : tree_.left_out) {
      hidden.insert(fs::path(left_out.path).lexically_relative(tree_.root).string() + "/");
    }
    for (const PictureRecord& record : before_->records().files) {
      const bool kept = std::ranges::any_of(hidden, [&](const std::string& folder) {
        return folder == "./" || record.file.starts_with(folder);
      });
      if (!kept) continue;
      files_.push_back(record);
      cannot_retry_ = true;
    }
    std::ranges::sort(files_, {}, &PictureRecord::file);
  }

  // All but what the index has as it is.
  void leave_out_films() {
    std::erase_if(files_, [this](const PictureRecord& file) {
      if (!is_film(file.file)) return false;
      const PictureRecord* old = unchanged(file);
      if (old != nullptr && !old->frames.empty() && !other_frames()) return false;
      report_.lacks_film_reader = true;
      tree_.not_read.count(FileKind::film);
      return true;
    });
  }

  // The record of the same file, of the same size and time; or null.
  const PictureRecord* unchanged(const PictureRecord& file) const {
    const PictureRecord* old = before_ ? before_->record(file.file) : nullptr;
    const bool same = old != nullptr && old->size == file.size && old->modified == file.modified;
    return same ? old : nullptr;
  }

  // Whether films of the index have other frames than are asked for now.
  bool other_frames() const { return before_ && before_->records().film_frames != film_frames_; }

  // Of all files those of the part that was asked for.
  void take_part() {
    std::string names = "pictures\n" + tree_.root.string() + "\n";
    for (const PictureRecord& file : files_) names += file.file + "\n";
    part_ = {*input_.part, content_hash(std::string_view(names))};
    const auto [begin, end] = input_.part->range(files_.size());
    files_ = {files_.begin() + static_cast<std::ptrdiff_t>(begin),
              files_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  // Whether something else read the index's pictures than reads them now.
  bool other_reader() const { return before_ && before_->records().reader != version_; }

  // Hashes of what is new, or has another size or time than before, and what it says; the latter
  // also of what another reader found less in.
  void read_contents(const PictureReader& reader) {
    std::vector<PictureRecord*> unknown;
    for (PictureRecord& file : files_) {
      if (const PictureRecord* old = unchanged(file)) {
        file.content = old->content;
        file.facts = old->facts;
      }
      const bool readable = !is_film(file.file) || reader.reads_films();
      if (file.content.empty() || (other_reader() && may_say_more(file.facts) && readable)) {
        unknown.push_back(&file);
      }
    }
    Progress progress("read", unknown.size());
    for (std::size_t first = 0; first < unknown.size(); first += kReadAtOnce) {
      stop_if_interrupted();
      const auto some =
          std::span(unknown).subspan(first, std::min(kReadAtOnce, unknown.size() - first));
      parallel_blocks(some.size(), [&](std::size_t begin, std::size_t end) {
        for (PictureRecord* file : some.subspan(begin, end - begin)) read_content(*file, reader);
      });
      progress.add(some.size());
    }
  }

  // What another reader may find: a date by EXIF, or with it a camera.
  static bool may_say_more(const PictureFacts& facts) {
    return !facts.taken || facts.taken->from != TakenFrom::exif || facts.camera.empty();
  }

  void read_content(PictureRecord& file, const PictureReader& reader) const {
    try {
      const fs::path path = tree_.root / file.file;
      if (file.content.empty()) file.content = content_of(path);
      PictureFacts facts = is_film(path) ? reader.facts_of_film(path) : reader.facts_of(path);
      if (!facts.taken) facts.taken = file.facts.taken;
      file.facts = std::move(facts);
    } catch (const InputError& error) {
      file.broken = error.what();
    }
  }

  static std::string content_of(const fs::path& file) {
    return is_film(file) ? film_content(file) : content_hash(file);
  }

  // Whether the file still has this content: another one went, or is being written.
  static bool holds(const fs::path& file, const std::string& content) {
    try {
      return content_of(file) == content;
    } catch (const InputError&) {
      return false;
    }
  }

  // Why a file of this content is no image, as far as that still holds.
  const std::string* known_broken(const std::string& content) const {
    return before_ && !other_reader() ? before_->why_broken(content) : nullptr;
  }
  // Where a picture of this content has its vectors.
  std::optional<IndexEntry::Kept> kept(const std::string& content) const {
    if (!before_) return std::nullopt;
    const auto image = before_->image(content);
    return image ? image : before_->away_picture(content);
  }
  // The frames of a film of this content, where the index has those that are asked for; or null.
  const std::vector<std::int64_t>* kept_frames(const std::string& content) const {
    return before_ && !other_frames() ? before_->frames(content) : nullptr;
  }
  bool known(const PictureRecord& file) const {
    if (known_broken(file.content) != nullptr) return true;
    return is_film(file.file) ? kept_frames(file.content) != nullptr
                              : kept(file.content).has_value();
  }

  // What an interrupted run keeps frames of a film under: another number of them is asked for anew.
  std::string film_key(const std::string& content) const {
    return content_hash(std::string_view(fmt::format("{} {}", content, film_frames_)));
  }

  // Files of new content.
  struct Fresh {
    std::vector<fs::path> paths;
    std::vector<std::string> contents;
    std::size_t earlier = 0;  // others, that an interrupted run has encoded
  };
  Fresh fresh_files(const EncodedPictures& encoded, bool films) const {
    Fresh fresh;
    std::set<std::string> seen;
    for (const PictureRecord& file : files_) {
      if (is_film(file.file) != films || !file.broken.empty() || known(file) ||
          !seen.insert(file.content).second) {
        continue;
      }
      if (films ? encoded.film(film_key(file.content)) != nullptr
                : encoded.find(file.content).has_value()) {
        ++fresh.earlier;
        continue;
      }
      fresh.paths.push_back(tree_.root / file.file);
      fresh.contents.push_back(file.content);
    }
    return fresh;
  }

  void note_unread(const fs::path& path, const std::string& content, const std::string& why) {
    (holds(path, content) ? why_broken_ : why_lost_)[content] = why;
  }

  void encode_new(const PictureReader& reader, EncodedPictures& encoded) {
    const auto [paths, contents, earlier] = fresh_files(encoded, false);
    if (paths.empty()) return;
    Progress progress("pictures", earlier + paths.size(), earlier);
    reader.features_of(
        paths, [&, &paths = paths, &contents = contents](
                   std::size_t i, std::span<const float> features, const std::string& note) {
          if (features.empty()) {
            note_unread(paths[i], contents[i], note);
          } else {
            if (!note.empty()) report_.incomplete.push_back({paths[i].string(), note});
            encoded.add(contents[i], features);
            if (encoded.size() % kSyncEvery == 0) encoded.sync();
            ++report_.encoded;
          }
          progress.add();
        });
  }

  void encode_new_films(const PictureReader& reader, EncodedPictures& encoded) {
    const auto [paths, contents, earlier] = fresh_files(encoded, true);
    if (paths.empty()) return;
    Progress progress("films", earlier + paths.size(), earlier);
    reader.frames_of(paths, film_frames_,
                     [&, &paths = paths, &contents = contents](
                         std::size_t i, const FilmFrames& frames, const std::string& note) {
                       if (frames.at.empty()) {
                         note_unread(paths[i], contents[i], note);
                       } else {
                         encoded.add_film(film_key(contents[i]), frames.at, frames.features);
                         encoded.sync();
                         report_.encoded += frames.at.size();
                       }
                       progress.add();
                     });
  }

  // Those of a film that can be read; `rows`: where they are encoded, if they are new.
  void take_frames(const EncodedPictures& encoded, PictureRecord& film, std::vector<int>& rows) {
    if (const auto* frames = kept_frames(film.content)) {
      film.frames = *frames;
    } else {
      film.frames.clear();
      for (const auto& [at, row] : *encoded.film(film_key(film.content))) {
        film.frames.push_back(at);
        rows.push_back(row);
      }
    }
    ++report_.films;
    report_.frames += film.frames.size();
  }

  // Which files are images, each with where its vector comes from.
  void finish_records(const EncodedPictures& encoded) {
    for (PictureRecord& file : files_) {
      if (const std::string* why = known_broken(file.content)) file.broken = *why;
      if (const auto why = why_broken_.find(file.content); why != why_broken_.end()) {
        file.broken = why->second;
      }
      if (const auto why = why_lost_.find(file.content); why != why_lost_.end()) {
        file.broken = why->second;
        file.content.clear();  // so that it is read again next time
      }
      if (!file.broken.empty()) {
        report_.broken.push_back({file.file, file.broken});
        continue;
      }
      std::vector<int> rows;
      if (is_film(file.file)) {
        take_frames(encoded, file, rows);
      } else if (!kept(file.content)) {
        rows.push_back(encoded.find(file.content).value());
      }
      auto row = rows.begin();
      for (auto& [id, content] : file.images()) {
        IndexEntry entry{std::move(id), tree_.root / file.file, content.substr(0, 16), {}, -1};
        if (row == rows.end()) {
          entry.kept = kept(content);
        } else {
          entry.fresh = *row++;
        }
        entries_.push_back(std::move(entry));
      }
    }
    report_.images = entries_.size();
  }

  static bool same_file(const PictureRecord& a, const PictureRecord& b) {
    return a.file == b.file && a.content == b.content && a.left == b.left && a.frames == b.frames;
  }

  // All of the index but when its files were changed, when they were taken, and what is broken.
  bool same_images() const {
    if (!before_ || before_->records().root != tree_.root) return false;
    const auto images = [](const std::vector<PictureRecord>& files) {
      std::vector<PictureRecord> some;
      std::ranges::copy_if(files, std::back_inserter(some),
                           [](const PictureRecord& file) { return file.broken.empty(); });
      return some;
    };
    return read_part_record(folder_) == part_ &&
           std::ranges::equal(images(files_), images(before_->records().files), same_file) &&
           std::ranges::equal(away_.files, before_->away(), same_file);
  }

  bool same_records() const {
    return before_->records().reader == reader_of_all() && before_->records().exclude == exclude_ &&
           before_->records().film_frames == film_frames_ &&
           std::ranges::equal(files_, before_->records().files, [](const auto& a, const auto& b) {
             return same_file(a, b) && a.size == b.size && a.modified == b.modified &&
                    a.facts == b.facts && a.broken == b.broken;
           });
  }

  // What could not be tried again just now is to be the next time.
  std::string reader_of_all() const {
    return other_reader() && cannot_retry_ ? before_->records().reader : version_;
  }
  PictureRecords records(std::vector<PictureRecord> files) const {
    return {tree_.root, hash_, std::move(files), reader_of_all(), exclude_, film_frames_};
  }

  void write_records_alone() const {
    AtomicFolder target(folder_);
    take_over_but(kPictureRecordsFile, folder_, target.path());
    write_picture_records(target.path(), records(files_));
    target.commit();
  }

  void write(const EncodedPictures& encoded) {
    AtomicFolder target(folder_);
    IndexContents contents;
    if (before_) {
      take_over(folder_, target.path());
      contents = before_->index().contents();
    } else {
      contents = first_contents(target.path());
    }
    const Model model = Model::open(target.path() / "encoder");
    const FreshFeatures features{
        features_dim(),
        [&](std::span<const int> rows, std::span<float> out) { encoded.gather(rows, out); }};
    write_entries(model, features, entries_, contents, graphs(), target.path(),
                  before_ ? &before_->index() : nullptr);
    write_picture_records(target.path(), records(files_));
    if (!away_.files.empty()) {
      write_away(target.path(), contents, records(away_.files), away_.kept);
    }
    if (part_) write_part_record(target.path(), *part_);
    target.commit();
  }

  bool has_unwanted_graph() const {
    return before_ && input_.graphs == Graphs::none && !before_->index().contents().graphs.empty();
  }

  Graphs graphs() const {
    if (part_ || input_.graphs == Graphs::none) return Graphs::none;
    const bool was_part = before_ && read_part_record(folder_);
    return before_ && !was_part ? graphs_of(before_->index()) : input_.graphs;
  }

  IndexContents first_contents(const fs::path& target) const {
    const Model& model = model_.model();
    create_folder(target / "encoder");
    if (model_.is_bundle()) {
      copy_model(model, target / "encoder");
    } else {
      export_model(model, input_.weights, target / "encoder");
    }
    IndexContents contents =
        contents_by(Model::open(target / "encoder"), "pictures", model.config().features.names);
    contents.encoders =
        store_picture_encoders(model.config().features.part_names(), model_.networks(), target);
    return contents;
  }

  const PictureModel& model_;
  const PicturesInput& input_;
  fs::path folder_;
  std::string hash_;
  std::optional<EarlierIndex> before_;  // of the same model
  std::vector<std::string> exclude_;
  int film_frames_ = kUsualFilmFrames;
  PictureTree tree_;
  std::string version_;        // of the reader
  bool cannot_retry_ = false;  // what lies in a folder that cannot be read
  std::optional<PartRecord> part_;
  std::vector<PictureRecord> files_;                         // by name
  std::unordered_map<std::string, std::string> why_broken_;  // by content
  std::unordered_map<std::string, std::string> why_lost_;    // likewise: gone before it was decoded
  std::vector<IndexEntry> entries_;
  AwayPictures away_;
  PictureReport report_;
};

}  // namespace

PictureReport index_pictures(const PictureModel& model, const PicturesInput& input,
                             const PictureReader& reader, const fs::path& folder,
                             const VisitFolder& visit) {
  return Indexing(model, input, folder, visit).run(reader);
}

}  // namespace hinny

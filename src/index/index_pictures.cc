#include "index/index_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_name.h"
#include "base/interrupt.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "base/threads.h"
#include "index/encoded_pictures.h"
#include "index/entries.h"
#include "index/picture_encoders.h"
#include "index/picture_records.h"
#include "index/write_index.h"
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

// The index as it stands, if it is one of a folder by the same model.
struct Before {
  Index index;
  PictureRecords records;
  std::unordered_map<std::string, const PictureRecord*> by_file;
  std::unordered_map<std::string, std::size_t> image_of;  // by content
  std::unordered_map<std::string, std::string> broken;    // likewise, why

  Before(Index opened, PictureRecords read) : index(std::move(opened)), records(std::move(read)) {
    std::size_t image = 0;
    for (const PictureRecord& record : records.files) {
      by_file.emplace(record.file, &record);
      if (!record.broken.empty()) {
        if (!record.content.empty()) broken.emplace(record.content, record.broken);
        continue;
      }
      if (image >= index.size() || index.contents().images[image] != path_text(record.file)) {
        refuse();
      }
      image_of.emplace(record.content, image++);
    }
    if (image != index.size()) refuse();
  }
  [[noreturn]] void refuse() const {
    throw InputError(index.folder() / kPictureRecordsFile, "holds other images than the index",
                     "an index as `hinny index --pictures` wrote it");
  }
};

class Indexing {
 public:
  Indexing(const PictureModel& model, const PicturesInput& input, const fs::path& folder,
           const VisitFolder& visit)
      : model_(model), input_(input), folder_(without_slash(folder)) {
    check_replaceable(folder_, kContentsFile, "index");
    const std::string stored_as = model.is_bundle() ? "" : fmt::format(" {}", int(input.weights));
    hash_ = content_hash(std::string_view(model.hash() + stored_as));
    open_before();
    tree_ = find_pictures(input.pictures, visit);
  }

  PictureReport run(const PictureReader& reader) {
    list_files();
    if (files_.empty()) {
      throw NoPictures(tree_.root, "no picture below it", expected());
    }
    if (input_.part) take_part();
    read_contents(reader);
    EncodedPictures encoded(folder_.string() + ".part", hash_, features_dim());
    encode_new(reader, encoded);
    finish_records(encoded);
    if (entries_.empty() && !input_.part) {
      encoded.remove();
      throw NoPictures(tree_.root,
                       fmt::format("none of {} files below it is a picture that can be read: {}",
                                   files_.size(), files_.front().broken),
                       expected());
    }
    count();
    const bool same = before_ && before_->records.root == tree_.root && same_records();
    if (!same || read_part_record(folder_) != part_) write(encoded);
    encoded.remove();
    report_.left_out = tree_.left_out;
    report_.other_formats = tree_.other_formats;
    return std::move(report_);
  }

 private:
  static std::string expected() { return fmt::format("{} files", kPictureFormats); }
  std::size_t features_dim() const { return model_.model().config().features.dim(); }

  void open_before() {
    auto records = read_picture_records(folder_);
    if (!records || records->model != hash_) return;
    if (hubs_hash(folder_ / "encoder") != hubs_hash(model_.model().folder())) return;
    before_.emplace(Index::open(folder_), std::move(*records));
  }

  const PictureRecord* old_record(const std::string& file) const {
    if (!before_) return nullptr;
    const auto found = before_->by_file.find(file);
    return found == before_->by_file.end() ? nullptr : found->second;
  }

  // What the tree holds, and what lies where it could not be read.
  void list_files() {
    for (const TreePicture& picture : tree_.pictures) {
      files_.push_back({picture.file, picture.size, picture.modified, "", std::nullopt, ""});
    }
    if (!before_ || before_->records.root != tree_.root || input_.part) return;
    std::set<std::string> hidden;
    for (const auto& left_out : tree_.left_out) {
      hidden.insert(fs::path(left_out.path).lexically_relative(tree_.root).string() + "/");
    }
    for (const PictureRecord& record : before_->records.files) {
      const bool kept = std::ranges::any_of(hidden, [&](const std::string& folder) {
        return folder == "./" || record.file.starts_with(folder);
      });
      if (kept) files_.push_back(record);
    }
    std::ranges::sort(files_, {}, &PictureRecord::file);
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

  // Hashes of what is new, or has another size or time than before.
  void read_contents(const PictureReader& reader) {
    std::vector<PictureRecord*> unknown;
    for (PictureRecord& file : files_) {
      const PictureRecord* old = old_record(file.file);
      const bool same = old != nullptr && old->size == file.size && old->modified == file.modified;
      if (same) {
        file.content = old->content;
        file.taken = old->taken;
      }
      if (file.content.empty()) unknown.push_back(&file);
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

  void read_content(PictureRecord& file, const PictureReader& reader) const {
    try {
      file.content = content_hash(tree_.root / file.file);
      if (reader.taken_at) file.taken = reader.taken_at(tree_.root / file.file);
    } catch (const InputError& error) {
      file.broken = error.what();
    }
  }

  // Whether the file still has this content: another one went, or is being written.
  static bool holds(const fs::path& file, const std::string& content) {
    try {
      return content_hash(file) == content;
    } catch (const InputError&) {
      return false;
    }
  }

  bool known(const std::string& content) const {
    return before_ && (before_->image_of.contains(content) || before_->broken.contains(content));
  }

  void encode_new(const PictureReader& reader, EncodedPictures& encoded) {
    std::vector<fs::path> paths;
    std::vector<std::string> contents;
    std::set<std::string> seen;
    std::size_t earlier = 0;
    for (const PictureRecord& file : files_) {
      if (!file.broken.empty() || known(file.content) || !seen.insert(file.content).second)
        continue;
      if (encoded.find(file.content)) {
        ++earlier;
        continue;
      }
      paths.push_back(tree_.root / file.file);
      contents.push_back(file.content);
    }
    if (paths.empty()) return;
    Progress progress("pictures", earlier + paths.size(), earlier);
    reader.encode(paths,
                  [&](std::size_t i, std::span<const float> features, const std::string& note) {
                    if (features.empty()) {
                      (holds(paths[i], contents[i]) ? why_broken_ : why_lost_)[contents[i]] = note;
                    } else {
                      if (!note.empty()) report_.incomplete.push_back({paths[i].string(), note});
                      encoded.add(contents[i], features);
                      if (encoded.size() % kSyncEvery == 0) encoded.sync();
                      ++report_.encoded;
                    }
                    progress.add();
                  });
  }

  // Which files are images, each with where its vector comes from.
  void finish_records(const EncodedPictures& encoded) {
    for (PictureRecord& file : files_) {
      if (before_ && before_->broken.contains(file.content)) {
        file.broken = before_->broken.at(file.content);
      }
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
      Entry entry{path_text(file.file), tree_.root / file.file, file.content.substr(0, 16),
                  std::nullopt, -1};
      if (before_ && before_->image_of.contains(file.content)) {
        entry.kept = Entry::Kept{&before_->index, before_->image_of.at(file.content)};
      } else {
        entry.fresh = encoded.find(file.content).value();
      }
      entries_.push_back(std::move(entry));
    }
    report_.images = entries_.size();
  }

  void count() {
    std::set<std::string> files, seen;
    for (const PictureRecord& file : files_) files.insert(file.file);
    std::multiset<std::string> gone;  // contents
    if (before_) {
      for (const PictureRecord& old : before_->records.files) {
        if (!files.contains(old.file)) gone.insert(old.content);
      }
    }
    for (const PictureRecord& file : files_) {
      if (!file.broken.empty()) continue;
      const PictureRecord* old = old_record(file.file);
      const bool copy = !seen.insert(file.content).second || known(file.content);
      if (old != nullptr) {
        ++(old->content == file.content ? report_.kept : report_.changed);
      } else if (const auto from = gone.find(file.content); from != gone.end()) {
        ++report_.moved;
        gone.erase(from);
      } else {
        ++(copy ? report_.copies : report_.added);
      }
    }
    report_.removed = gone.size();
  }

  bool same_records() const {
    return std::ranges::equal(files_, before_->records.files, [](const auto& a, const auto& b) {
      return a.file == b.file && a.size == b.size && a.modified == b.modified &&
             a.content == b.content && a.taken == b.taken && a.broken == b.broken;
    });
  }

  void write(const EncodedPictures& encoded) {
    AtomicFolder target(folder_);
    IndexContents contents;
    if (before_) {
      take_over(folder_, target.path());
      contents = before_->index.contents();
    } else {
      contents = first_contents(target.path());
    }
    const Model model = Model::open(target.path() / "encoder");
    const FreshFeatures features{
        features_dim(),
        [&](std::span<const int> rows, std::span<float> out) { encoded.gather(rows, out); }};
    write_entries(model, features, entries_, std::move(contents), graphs(), target.path());
    write_picture_records(target.path(), {tree_.root, hash_, files_});
    if (part_) write_part_record(target.path(), *part_);
    target.commit();
  }

  Graphs graphs() const {
    if (part_) return Graphs::none;
    const bool was_part = before_ && read_part_record(folder_);
    return before_ && !was_part ? graphs_of(before_->index) : input_.graphs;
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
        keep_picture_encoders(model.config().features.part_names(), model_.networks(), target);
    return contents;
  }

  const PictureModel& model_;
  const PicturesInput& input_;
  fs::path folder_;
  std::string hash_;
  std::optional<Before> before_;
  PictureTree tree_;
  std::optional<PartRecord> part_;
  std::vector<PictureRecord> files_;                         // by name
  std::unordered_map<std::string, std::string> why_broken_;  // by content
  std::unordered_map<std::string, std::string> why_lost_;    // likewise: gone before it was decoded
  std::vector<Entry> entries_;
  PictureReport report_;
};

}  // namespace

PictureReport index_pictures(const PictureModel& model, const PicturesInput& input,
                             const PictureReader& reader, const fs::path& folder,
                             const VisitFolder& visit) {
  return Indexing(model, input, folder, visit).run(reader);
}

}  // namespace hinny

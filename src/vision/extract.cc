#include "vision/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "base/npy.h"
#include "base/progress.h"
#include "data/row_parts.h"
#include "vision/encode_pictures.h"
#include "vision/feature_rows.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
constexpr float kLargestHalf = 65504;

class Extraction {
 public:
  Extraction(const Dataset& dataset, const PictureEncoder& encoder, const ExtractOptions& options)
      : dataset_(dataset), encoder_(encoder), options_(options) {
    const std::string name = options.name.empty() ? encoder.name() : options.name;
    if (name.empty() || name[0] == '.' || name.find_first_of("/+ \t\n") != std::string::npos) {
      throw InputError(fmt::format("--name '{}'", name), "a file name without '/', '+' or blanks");
    }
    report_.file = dataset.folder() / "features" / (name + ".npy");
    report_.shape = encoder.shape();
  }

  ExtractReport run(PictureEncoder& encoder);
  ExtractReport merge();

 private:
  bool already_there();
  void count_rows(std::int64_t rows) {  // of the whole
    report_.rows = rows;
    report_.without_row = static_cast<std::int64_t>(dataset_.images().size()) - rows;
  }
  void find_rows() {
    rows_ = feature_rows(dataset_, !options_.force || other_features_exist(report_.file));
  }
  void write_whole(PictureEncoder& encoder);
  void write_part(PictureEncoder& encoder);
  void commit_whole(NpyWriter& file);
  std::string hash_of_all(const FeatureRows& rows) const;
  std::vector<int> images_of(const std::vector<fs::path>& parts) const;
  void encode(PictureEncoder& encoder, std::span<const int> images, NpyWriter& file);
  void refuse_or_skip(int image, const std::string& why);
  void check_row(int image, std::span<const float> row) const;
  const std::string& id(int image) const {
    return dataset_.images()[static_cast<std::size_t>(image)].id;
  }

  const Dataset& dataset_;
  const PictureEncoder& encoder_;
  const ExtractOptions& options_;
  ExtractReport report_;
  FeatureRows rows_;
  std::vector<int> written_;
};

// True when there is nothing to do; an InputError when what is there does not fit.
bool Extraction::already_there() {
  const fs::path ids = report_.file.parent_path() / kIdsFile;
  if (options_.force || !fs::exists(report_.file)) return false;
  if (!fs::exists(ids)) {
    throw InputError(report_.file, "there already, but without ids.txt", "--force to replace it");
  }
  std::vector<std::int64_t> wanted = report_.shape;
  wanted.insert(wanted.begin(), 0);
  for_each_line(ids, [&](std::string_view, std::size_t) { ++wanted[0]; });
  const NpyArray array = NpyArray::open(report_.file);
  if (array.shape() != wanted) {
    throw InputError(report_.file,
                     fmt::format("there already, as [{}]", fmt::join(array.shape(), ", ")),
                     fmt::format("[{}]; --force replaces it, --name chooses another name",
                                 fmt::join(wanted, ", ")));
  }
  count_rows(array.rows());
  report_.already_there = true;
  return true;
}

ExtractReport Extraction::run(PictureEncoder& encoder) {
  if (already_there()) return report_;
  find_rows();
  create_folder(report_.file.parent_path());
  options_.part ? write_part(encoder) : write_whole(encoder);
  return report_;
}

void Extraction::write_whole(PictureEncoder& encoder) {
  NpyWriter file(report_.file, report_.shape, NpyType::float16);
  encode(encoder, rows_.images, file);
  commit_whole(file);
}

void Extraction::commit_whole(NpyWriter& file) {
  if (written_.empty()) {
    const std::string first = report_.skipped.empty() ? "" : ": " + report_.skipped.front().why;
    throw InputError(dataset_.folder() / "images", "no picture can be read" + first, "");
  }
  // In this order: ids.txt without features is merely unused, features without it are useless.
  if (!rows_.fixed) write_ids(report_.file.parent_path() / kIdsFile, dataset_, written_);
  file.commit();
  count_rows(static_cast<std::int64_t>(written_.size()));
}

// What the parts of one file share.
std::string Extraction::hash_of_all(const FeatureRows& rows) const {
  std::string all = fmt::format("{}\n{}\n{}\n", encoder_.identity(), fmt::join(report_.shape, " "),
                                rows.fixed ? "fixed" : "free");
  for (const int image : rows.images) all += id(image) + "\n";
  return content_hash(std::string_view(all));
}

void Extraction::write_part(PictureEncoder& encoder) {
  const PartRecord record{*options_.part, hash_of_all(rows_)};
  const fs::path folder = row_part(report_.file, record.part);
  report_.file = folder / kRowsFile;
  if (!options_.force && read_part_record(folder) == record) {
    report_.already_there = true;
    report_.rows = NpyArray::open(report_.file).rows();
    return;
  }
  AtomicFolder target(folder);
  NpyWriter file(target.path() / kRowsFile, report_.shape, NpyType::float16);
  const auto [begin, end] = record.part.range(rows_.images.size());
  encode(encoder, std::span(rows_.images).subspan(begin, end - begin), file);
  file.commit();
  write_ids(target.path() / kIdsFile, dataset_, written_);
  write_part_record(target.path(), record);
  target.commit();
  report_.rows = static_cast<std::int64_t>(written_.size());
}

// Whose rows the parts hold, in their order.
std::vector<int> Extraction::images_of(const std::vector<fs::path>& parts) const {
  std::vector<int> images;
  for (const fs::path& part : parts) {
    const std::size_t before = images.size();
    for_each_line(part / kIdsFile, [&](std::string_view id, std::size_t line) {
      images.push_back(dataset_.find(std::string(id)));
      if (images.back() < 0) {
        throw InputError(part / kIdsFile, line, fmt::format("no image '{}' is there", id),
                         "ids of images.jsonl");
      }
    });
    const std::int64_t rows = NpyArray::open(part / kRowsFile).rows();
    if (rows == static_cast<std::int64_t>(images.size() - before)) continue;
    throw InputError(part / kRowsFile, fmt::format("{} rows", rows),
                     fmt::format("{}, one for each line of ids.txt", images.size() - before));
  }
  return images;
}

ExtractReport Extraction::merge() {
  if (already_there()) return report_;
  find_rows();
  const std::vector<fs::path> parts = row_parts(report_.file);
  written_ = images_of(parts);
  // An earlier merge may have been stopped when it had written ids.txt.
  const std::string whole = read_part_record(parts.front())->whole;
  const bool of_these = whole == hash_of_all(rows_) ||
                        (rows_.fixed && whole == hash_of_all(feature_rows(dataset_, false)));
  if (!of_these || (rows_.fixed && written_ != rows_.images)) {
    throw InputError(parts.front(), "was made of other images or by another encoder",
                     "parts that the same command with --part made of this dataset");
  }
  NpyWriter file(report_.file, report_.shape, NpyType::float16);
  append_rows(parts, file, report_.shape);
  commit_whole(file);
  for (const fs::path& part : parts) fs::remove_all(part);
  return report_;
}

void Extraction::encode(PictureEncoder& encoder, std::span<const int> all, NpyWriter& file) {
  Progress progress("features", all.size());
  PictureEncoder* const encoders[] = {&encoder};
  encode_pictures(
      all.size(), [&](std::size_t i) { return picture_file(dataset_, all[i]); }, encoders,
      {static_cast<std::size_t>(options_.batch), "interrupted; no features were written"},
      [&](std::size_t i, std::span<const float> row, const std::string& note) {
        if (!row.empty()) {
          if (!note.empty()) report_.incomplete.push_back({id(all[i]), note});
          check_row(all[i], row);
          file.append(row);
          written_.push_back(all[i]);
        } else {
          refuse_or_skip(all[i], note);
        }
        progress.add();
      });
}

void Extraction::refuse_or_skip(int image, const std::string& why) {
  if (rows_.fixed) {
    throw InputError(
        fmt::format("image '{}' has a row in features/ids.txt, but: {}", id(image), why),
        "a picture for each row, or a folder without features/");
  }
  report_.skipped.push_back({id(image), why});
}

void Extraction::check_row(int image, std::span<const float> row) const {
  for (const float number : row) {
    if (std::abs(number) <= kLargestHalf) continue;  // false for NaN too
    throw InputError(picture_file(dataset_, image), fmt::format("a feature is {}", number),
                     "numbers that float16 can hold; is the preprocessing right?");
  }
}

}  // namespace

ExtractReport extract_features(const Dataset& dataset, PictureEncoder& encoder,
                               const ExtractOptions& options) {
  return Extraction(dataset, encoder, options).run(encoder);
}

ExtractReport merge_features(const Dataset& dataset, const PictureEncoder& encoder,
                             const ExtractOptions& options) {
  return Extraction(dataset, encoder, options).merge();
}

}  // namespace hinny

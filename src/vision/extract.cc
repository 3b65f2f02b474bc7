#include "vision/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.h"
#include "base/files.h"
#include "base/npy.h"
#include "base/progress.h"
#include "vision/encode_pictures.h"
#include "vision/feature_rows.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
constexpr float kLargestHalf = 65504;

class Extraction {
 public:
  Extraction(const Dataset& dataset, PictureEncoder& encoder, const ExtractOptions& options)
      : dataset_(dataset), encoder_(encoder), options_(options) {
    const std::string name = options.name.empty() ? encoder.name() : options.name;
    if (name.empty() || name[0] == '.' || name.find_first_of("/+ \t\n") != std::string::npos) {
      throw InputError(fmt::format("--name '{}'", name), "a file name without '/', '+' or blanks");
    }
    report_.file = dataset.folder() / "features" / (name + ".npy");
    report_.shape = encoder.shape();
  }

  ExtractReport run();

 private:
  bool already_there();
  void encode_all(NpyWriter& file);
  void refuse_or_skip(int image, const std::string& why);
  void check_row(int image, std::span<const float> row) const;
  const std::string& id(int image) const {
    return dataset_.images()[static_cast<std::size_t>(image)].id;
  }

  const Dataset& dataset_;
  PictureEncoder& encoder_;
  const ExtractOptions& options_;
  ExtractReport report_;
  FeatureRows rows_;
  std::vector<int> written_;
};

// True when there is nothing to do; an InputError when what is there does not fit.
bool Extraction::already_there() {
  const fs::path ids = report_.file.parent_path() / "ids.txt";
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
  report_.rows = array.rows();
  return true;
}

ExtractReport Extraction::run() {
  report_.already_there = already_there();
  if (!report_.already_there) {
    rows_ = feature_rows(dataset_, !options_.force || other_features_exist(report_.file));
    create_folder(report_.file.parent_path());
    NpyWriter file(report_.file, report_.shape, NpyType::float16);
    encode_all(file);
    if (written_.empty()) {
      const std::string first = report_.skipped.empty() ? "" : ": " + report_.skipped.front().why;
      throw InputError(dataset_.folder() / "images", "no picture can be read" + first, "");
    }
    // In this order: ids.txt without features is merely unused, features without it are useless.
    if (!rows_.fixed) write_ids(dataset_, written_);
    file.commit();
    report_.rows = static_cast<std::int64_t>(written_.size());
  }
  report_.without_row = static_cast<std::int64_t>(dataset_.images().size()) - report_.rows;
  return report_;
}

void Extraction::encode_all(NpyWriter& file) {
  const std::span<const int> all = rows_.images;
  Progress progress("features", all.size());
  PictureEncoder* const encoders[] = {&encoder_};
  encode_pictures(
      all.size(),
      [&](std::size_t i) {
        return read_picture(picture_file(dataset_, all[i]), encoder_.least_side());
      },
      encoders, {static_cast<std::size_t>(options_.batch), "interrupted; no features were written"},
      [&](std::size_t i, std::span<const float> row, const std::string& why_not) {
        if (why_not.empty()) {
          check_row(all[i], row);
          file.append(row);
          written_.push_back(all[i]);
        } else {
          refuse_or_skip(all[i], why_not);
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
  return Extraction(dataset, encoder, options).run();
}

}  // namespace hinny

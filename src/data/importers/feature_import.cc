#include "data/importers/feature_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/interrupt.h"

namespace hinny {
namespace {

constexpr float kLargestHalf = 65504.0F;

bool is_name(const std::string& name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
             std::string::npos;
}

}  // namespace

FeatureImport::FeatureImport(FeatureOptions options, ImportWriter& writer)
    : options_(std::move(options)), writer_(writer) {
  if (!is_name(options_.name)) {
    throw InputError(fmt::format("feature name '{}'", options_.name),
                     "letters, digits, '-', '_' and '.'");
  }
}

void FeatureImport::start(const std::filesystem::path& npy, const NpyArray& array) {
  const std::vector<std::int64_t> shape(array.shape().begin() + 1, array.shape().end());
  if (!out_) {
    row_shape_ = shape;
    type_ = options_.float16 ? NpyType::float16 : array.type();
    create_folder(writer_.folder() / "features");
    out_ = std::make_unique<NpyWriter>(writer_.folder() / "features" / (options_.name + ".npy"),
                                       row_shape_, type_);
  } else if (shape != row_shape_) {
    throw InputError(npy, fmt::format("rows of {}", fmt::join(shape, "x")),
                     fmt::format("{}, as in the files before it", fmt::join(row_shape_, "x")));
  }
}

void FeatureImport::read_row(const std::filesystem::path& npy, const NpyArray& array,
                             std::int64_t index, std::span<float> row) const {
  array.row(index, row);
  const float most = type_ == NpyType::float16 ? kLargestHalf : std::numeric_limits<float>::max();
  const auto bad = std::find_if_not(row.begin(), row.end(),
                                    [&](float value) { return std::abs(value) <= most; });
  if (bad == row.end()) return;
  throw InputError(npy, fmt::format("row {} holds {}", index, *bad),
                   fmt::format("finite numbers up to {}", most));
}

void FeatureImport::add(const std::filesystem::path& npy, std::span<const std::string> ids,
                        std::int64_t repeat) {
  const NpyArray array = NpyArray::open(npy);
  const auto images = static_cast<std::int64_t>(ids.size());
  if (array.rows() != images * repeat) {
    throw InputError(npy, fmt::format("{} rows", array.rows()),
                     fmt::format("{}, {} for each of {} images", images * repeat, repeat, images));
  }
  start(npy, array);
  std::vector<float> row(static_cast<std::size_t>(array.row_size()));
  std::vector<float> copy(row.size());
  Progress progress("import: " + npy.filename().string(), static_cast<std::uint64_t>(images));
  for (std::int64_t image = 0; image < images; ++image) {
    stop_if_interrupted();
    read_row(npy, array, image * repeat, row);
    for (std::int64_t other = image * repeat + 1; other < (image + 1) * repeat; ++other) {
      read_row(npy, array, other, copy);
      if (copy == row) continue;
      throw InputError(npy, fmt::format("row {} differs from row {}", other, image * repeat),
                       fmt::format("{} equal rows for each image", repeat));
    }
    out_->append(row);
    progress.add();
  }
  ids_.insert(ids_.end(), ids.begin(), ids.end());
}

void FeatureImport::commit() {
  if (!out_) return;
  AtomicFile ids(writer_.folder() / "features" / "ids.txt");
  for (const std::string& id : ids_) ids.write(id + "\n");
  ids.commit();
  out_->commit();
  std::vector<std::int64_t> shape = row_shape_;
  shape.insert(shape.begin(), static_cast<std::int64_t>(ids_.size()));
  writer_.set_features(options_.name, std::move(shape));
}

}  // namespace hinny

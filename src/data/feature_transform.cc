#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/error.h"
#include "base/threads.h"
#include "data/features.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockNumbers = std::size_t{1} << 20;  // 4 MiB of rows at a time

void take_square_roots(std::span<float> numbers) {
  for (float& number : numbers) number = std::copysign(std::sqrt(std::abs(number)), number);
}

// Sums of every column over the rows seen so far, in float64. Each column is shifted by its first
// value, so that squares of a large mean do not drown a small variance.
class ColumnSums {
 public:
  explicit ColumnSums(std::span<const float> first_row)
      : shift_(first_row.begin(), first_row.end()), sum_(shift_.size()), squares_(shift_.size()) {}

  // Threads share out the columns: each column is summed in the order of rows, whatever the number
  // of threads.
  void add(std::span<const float> rows) {
    const std::size_t dim = shift_.size();
    count_ += rows.size() / dim;
    parallel_blocks(dim, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = 0; row < rows.size(); row += dim) {
        for (std::size_t column = begin; column < end; ++column) {
          const double difference = rows[row + column] - shift_[column];
          sum_[column] += difference;
          squares_[column] += difference * difference;
        }
      }
    });
  }

  float mean(std::size_t column) const {
    return static_cast<float>(shift_[column] + sum_[column] / static_cast<double>(count_));
  }
  // 1 / standard deviation; 0 for a column that does not vary.
  float scale(std::size_t column) const {
    const double mean = sum_[column] / static_cast<double>(count_);
    const double variance = squares_[column] / static_cast<double>(count_) - mean * mean;
    const auto scale = static_cast<float>(1 / std::sqrt(variance));
    return variance > 0 && std::isfinite(scale) ? scale : 0.0F;
  }

 private:
  std::vector<double> shift_, sum_, squares_;
  std::size_t count_ = 0;
};

}  // namespace

FeatureTransform::FeatureTransform(FeatureTransformOptions options, std::vector<float> mean,
                                   std::vector<float> scale)
    : options_(options), mean_(std::move(mean)), scale_(std::move(scale)) {
  if (mean_.size() != scale_.size() || mean_.empty() == options_.standardise) {
    throw InputError("features.mean and features.scale of the model do not fit",
                     options_.standardise ? "one number of each per feature" : "neither of them");
  }
  const auto finite = [](float number) { return std::isfinite(number); };
  if (!std::all_of(mean_.begin(), mean_.end(), finite) ||
      !std::all_of(scale_.begin(), scale_.end(), finite)) {
    throw InputError("NaN or infinity in features.mean or features.scale", "finite numbers");
  }
}

FeatureTransform FeatureTransform::fit(const Features& features, std::span<const int> images,
                                       const FeatureTransformOptions& options) {
  FeatureTransform transform;
  transform.options_ = options;
  if (!options.standardise) return transform;
  if (images.empty()) throw InputError("no image to fit the features on", "a training split");

  const auto dim = static_cast<std::size_t>(features.dim());
  const std::size_t block = std::min(std::max<std::size_t>(1, kBlockNumbers / dim), images.size());
  std::vector<float> rows(block * dim);
  const auto read = [&](std::size_t begin, std::size_t count) {
    const std::span<float> part = std::span(rows).first(count * dim);
    features.gather(images.subspan(begin, count), part);
    if (options.square_root) take_square_roots(part);
    return part;
  };

  ColumnSums sums(read(0, 1));
  for (std::size_t begin = 0; begin < images.size(); begin += block) {
    sums.add(read(begin, std::min(block, images.size() - begin)));
  }
  for (std::size_t column = 0; column < dim; ++column) {
    transform.mean_.push_back(sums.mean(column));
    transform.scale_.push_back(sums.scale(column));
  }
  return transform;
}

void FeatureTransform::apply(std::span<float> rows) const {
  if (options_.square_root) take_square_roots(rows);
  if (!options_.standardise) return;
  if (rows.size() % mean_.size() != 0) {
    throw std::invalid_argument("FeatureTransform::apply: rows of another size");
  }
  for (std::size_t begin = 0; begin < rows.size(); begin += mean_.size()) {
    float* row = rows.data() + begin;
    for (std::size_t i = 0; i < mean_.size(); ++i) row[i] = (row[i] - mean_[i]) * scale_[i];
  }
}

}  // namespace hinny

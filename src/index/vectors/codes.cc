#include "index/vectors/codes.h"

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

constexpr std::size_t kPartialSums = 8;
constexpr double kQueryRounding = 0.01;                        // of its length: int8
constexpr std::size_t kMostForCentre = std::size_t{1} << 14U;  // rows

// In a fixed order. `count`: a multiple of kPartialSums.
template <typename Term>
double sum_over(std::size_t count, const Term& term) {
  double sums[kPartialSums] = {};
  for (std::size_t i = 0; i < count; i += kPartialSums) {
    for (std::size_t j = 0; j < kPartialSums; ++j) sums[j] += static_cast<double>(term(i + j));
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

// Where the borders of the grid lie, in standard deviations of normal numbers, for the least error
// (Max 1960), and what else is tried.
constexpr float step_of(int bits) { return bits == 2 ? 0.9957F : 0.3352F; }
constexpr std::array kSteps = {1.0F, 0.85F, 0.92F, 1.08F, 1.17F};

// The numbers of a code, from 0 to 2^bits - 1.
void to_grid(std::span<const float> numbers, int bits, float step, std::span<float> out) {
  const float most = static_cast<float>((1 << bits) - 1);
  const float half = static_cast<float>(1 << (bits - 1));
  const float inverse = 1 / step;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float at = std::min(std::max(numbers[i] * inverse + half, 0.0F), most);
    out[i] = static_cast<float>(static_cast<std::int32_t>(at));  // not below 0: rounded down
  }
}

void pack(std::span<const float> grid, int bits, std::span<std::uint8_t> code) {
  std::ranges::fill(code, std::uint8_t{0});
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const auto shift = static_cast<unsigned>(i / code.size()) * static_cast<unsigned>(bits);
    const auto value = static_cast<unsigned>(grid[i]) << shift;
    code[i % code.size()] = static_cast<std::uint8_t>(code[i % code.size()] | value);
  }
}

}  // namespace

CodeSpace::CodeSpace(int bits, std::size_t columns, bool small_last, std::span<const float> centre)
    : bits_(bits),
      columns_(columns),
      small_last_(small_last),
      centre_(centre.begin(), centre.end()),
      rotation_(columns) {}

CodeSpace::Factors CodeSpace::encode(std::span<const float> row,
                                     std::span<std::uint8_t> code) const {
  std::vector<float> centred(columns_), r(rotated()), grid(rotated()), best(rotated());
  for (std::size_t i = 0; i < columns_; ++i) centred[i] = row[i] - centre_[i];
  if (small_last_) centred.back() *= kSmall;
  rotation_.rotate(centred, r);
  const double squares = sum_over(r.size(), [&](std::size_t i) { return r[i] * r[i]; });
  std::ranges::fill(code, std::uint8_t{0});
  if (!std::isfinite(squares) || squares < 1e-30) return {};
  const auto odd = [&](std::size_t i) {
    return 2 * grid[i] - static_cast<float>((1 << bits_) - 1);
  };
  const float deviation = static_cast<float>(std::sqrt(squares / static_cast<double>(r.size())));
  double best_cosine = 0, best_product = 1;
  for (const float factor : kSteps) {
    to_grid(r, bits_, bits_ == 1 ? deviation : factor * step_of(bits_) * deviation, grid);
    const double product = sum_over(r.size(), [&](std::size_t i) { return r[i] * odd(i); });
    const double length = sum_over(r.size(), [&](std::size_t i) { return odd(i) * odd(i); });
    const double cosine = product / std::sqrt(length * squares);
    if (cosine > best_cosine) {
      best_cosine = cosine;
      best_product = product;
      std::swap(best, grid);
    }
    if (bits_ == 1) break;
  }
  pack(best, bits_, code);
  const double tangent = std::max(0.0, 1 / (best_cosine * best_cosine) - 1);
  const double rest = tangent + kQueryRounding * kQueryRounding / (best_cosine * best_cosine);
  return {static_cast<float>(squares / best_product),
          static_cast<float>(std::sqrt(squares * rest / static_cast<double>(r.size() - 1)))};
}

CodeSpace::Query CodeSpace::prepare(std::span<const float> query,
                                    std::span<std::int8_t> numbers) const {
  std::vector<float> scaled(query.begin(), query.end()), rotated_query(rotated());
  Query result;
  double offset = 0;
  for (std::size_t i = 0; i < columns_; ++i) {
    offset += static_cast<double>(query[i]) * static_cast<double>(centre_[i]);
  }
  if (small_last_) scaled.back() /= kSmall;
  rotation_.rotate(scaled, rotated_query);
  result.offset = static_cast<float>(offset);
  result.length = static_cast<float>(std::sqrt(sum_over(
      rotated_query.size(), [&](std::size_t i) { return rotated_query[i] * rotated_query[i]; })));
  result.scale = to_int8(rotated_query, numbers);
  return result;
}

std::vector<float> centre_of(std::span<const float> rows, std::size_t columns) {
  std::vector<float> centre(columns);
  const std::size_t count = rows.size() / columns;
  const std::size_t some = std::min(count, kMostForCentre);
  if (some == 0) return centre;
  std::vector<double> sums(columns);
  for (std::size_t i = 0; i < some; ++i) {
    const auto row = rows.subspan(i * count / some * columns, columns);
    for (std::size_t c = 0; c < columns; ++c) sums[c] += static_cast<double>(row[c]);
  }
  for (std::size_t c = 0; c < columns; ++c) {
    centre[c] = static_cast<float>(sums[c] / static_cast<double>(some));
    if (!std::isfinite(centre[c])) centre[c] = 0;
  }
  return centre;
}

CodeQueries::CodeQueries(const CodeSpace& space, std::span<const float> queries) {
  const std::size_t count = queries.size() / space.columns();
  numbers.resize(count * space.rotated());
  for (std::size_t q = 0; q < count; ++q) {
    each.push_back(space.prepare(queries.subspan(q * space.columns(), space.columns()),
                                 std::span(numbers).subspan(q * space.rotated(), space.rotated())));
  }
}

}  // namespace hinny

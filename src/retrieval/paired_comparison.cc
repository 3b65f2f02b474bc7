#include "retrieval/paired_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "base/threads.h"
#include "retrieval/dot_products.h"
#include "retrieval/paired_units.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockWeights = std::size_t{4} << 20;  // 16 MB of floats
constexpr std::uint64_t kResample = 1, kPermute = 2;         // seeds
constexpr double kRounding = 1e-9;                           // of a difference in points
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A language's difference in points; NaN without queries.
double points(const float* sums, const float* queries) {
  const auto share = [&](Part wins, Part asked) {
    return static_cast<double>(sums[wins]) / static_cast<double>(queries[asked]);
  };
  if (queries[kImageQueries] == 0) return kNone;
  return 100.0 / (2 * kCutoffs.size()) *
         (share(kImageHits, kImageQueries) + share(kCaptionHits, kCaptionQueries));
}

// Adds to each list of `found` [languages + 1] a round's difference, the last that of the average,
// where there is one.
void add_round(const PairedUnits& units, const float* sums, const float* queries,
               std::vector<std::vector<double>>& found) {
  double sum = 0;
  int present = 0;
  for (std::size_t l = 0; l < units.languages; ++l) {
    const double difference = points(sums + l * kParts, queries + l * kParts);
    if (std::isnan(difference)) continue;
    found[l].push_back(difference);
    sum += difference;
    ++present;
  }
  if (present > 0) found.back().push_back(sum / present);
}

// The differences [languages + 1][rounds] for images that weigh what `weigh` makes of a round's
// random numbers, in shares of `queries`, or of those of the round itself when null.
template <typename Weigh>
std::vector<std::vector<double>> rounds_of(const PairedUnits& units, std::uint64_t seed,
                                           const float* queries, const Weigh& weigh) {
  const std::size_t block = std::clamp<std::size_t>(kBlockWeights / units.count, 1, kRounds);
  const std::size_t columns = units.languages * kParts;
  std::vector<float> weights(block * units.count), sums(block * columns);
  std::vector<std::vector<double>> found(units.languages + 1);
  for (std::size_t first = 0; first < kRounds; first += block) {
    const std::size_t rounds = std::min(block, kRounds - first);
    std::ranges::fill(weights, 0.0F);
    parallel_blocks(rounds, [&](std::size_t begin, std::size_t end) {
      for (std::size_t round = begin; round < end; ++round) {
        Random random(mix_seed({seed, first + round}));
        weigh(random, std::span(weights).subspan(round * units.count, units.count));
      }
    });
    dot_products(weights.data(), rounds, units.parts.data(), columns, units.count, sums.data());
    for (std::size_t round = 0; round < rounds; ++round) {
      const float* row = sums.data() + round * columns;
      add_round(units, row, queries == nullptr ? row : queries, found);
    }
  }
  return found;
}

std::vector<std::vector<double>> resampled(const PairedUnits& units) {
  return rounds_of(units, kResample, nullptr, [](Random& random, std::span<float> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) ++weights[random.below(weights.size())];
  });
}

std::vector<std::vector<double>> permuted(const PairedUnits& units) {
  std::vector<float> totals;
  for (std::size_t row = 0; row < units.languages * kParts; ++row) {
    const auto part = std::span(units.parts).subspan(row * units.count, units.count);
    totals.push_back(std::accumulate(part.begin(), part.end(), 0.0F));
  }
  return rounds_of(units, kPermute, totals.data(), [](Random& random, std::span<float> weights) {
    for (float& weight : weights) weight = random.below(2) == 0 ? 1.0F : -1.0F;
  });
}

void fill_in(PairedDifference& row, std::vector<double> resampled,
             const std::vector<double>& permuted) {
  row.difference = row.first - row.second;
  std::ranges::sort(resampled);
  const std::size_t tail = resampled.size() / 40;  // 2.5 % on either side
  row.low = resampled[tail];
  row.high = resampled[resampled.size() - 1 - tail];
  const double far = std::abs(row.difference) - kRounding;
  const auto as_far = std::ranges::count_if(permuted, [&](double d) { return std::abs(d) >= far; });
  row.p = static_cast<double>(1 + as_far) / static_cast<double>(1 + permuted.size());
}

}  // namespace

PairedTable compare_ranks(std::span<const PairedRanks> languages) {
  const PairedUnits units = units_of(languages);
  const auto drawn = resampled(units), swapped = permuted(units);
  PairedTable table;
  table.images = languages.front().first.by_image.size();
  table.average.language = "average";
  for (std::size_t l = 0; l < languages.size(); ++l) {
    const LanguageRecall first = recall_of(languages[l].first);
    const LanguageRecall second = recall_of(languages[l].second);
    PairedDifference row{languages[l].language, first.captions, first.mean(), second.mean()};
    fill_in(row, drawn[l], swapped[l]);
    table.average.captions += row.captions;
    table.average.first += row.first;
    table.average.second += row.second;
    table.languages.push_back(std::move(row));
  }
  table.average.first /= static_cast<double>(languages.size());
  table.average.second /= static_cast<double>(languages.size());
  fill_in(table.average, drawn.back(), swapped.back());
  return table;
}

}  // namespace hinny

#include "retrieval/trec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/files.h"
#include "retrieval/query_ranks.h"

namespace hinny {
namespace {

// One direction: queries, candidates, and which belong together.
struct Side {
  std::span<const std::string> queries, candidates;
  std::function<float(std::size_t query, std::size_t candidate)> score;
  std::function<bool(std::size_t query, std::size_t candidate)> right;
};

std::string row_of(const Side& side, std::size_t query, const std::string& run) {
  std::vector<float> scores(side.candidates.size());
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const float score = side.score(query, c);
    scores[c] = std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
  }
  std::vector<std::size_t> best(scores.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  const auto kept = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), kTrecDepth));
  std::partial_sort(best.begin(), kept, best.end(), [&](std::size_t a, std::size_t b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    const bool a_right = side.right(query, a), b_right = side.right(query, b);
    return a_right != b_right ? b_right : a < b;
  });
  std::string lines;
  int rank = 0;
  for (auto c = best.begin(); c != kept; ++c) {
    lines += fmt::format("{} Q0 {} {} {} {}\n", side.queries[query], side.candidates[*c], ++rank,
                         scores[*c], run);
  }
  return lines;
}

void write_side(const Side& side, const std::string& run, const std::string& prefix) {
  AtomicFile rankings(prefix + ".run"), qrels(prefix + ".qrels");
  for (std::size_t q = 0; q < side.queries.size(); ++q) {
    std::string right;
    for (std::size_t c = 0; c < side.candidates.size(); ++c) {
      if (side.right(q, c))
        right += fmt::format("{} 0 {} 1\n", side.queries[q], side.candidates[c]);
    }
    if (right.empty()) continue;
    qrels.write(right);
    rankings.write(row_of(side, q, run));
  }
  rankings.commit();
  qrels.commit();
}

}  // namespace

void write_trec(const ScoreMatrix& scores, std::span<const int> image_of_caption,
                const TrecNames& names, const std::filesystem::path& prefix) {
  check_owners(image_of_caption, scores.images, scores.captions);
  const auto score = [&](std::size_t image, std::size_t caption) {
    return scores.values[image * scores.captions + caption];
  };
  const auto right = [&](std::size_t image, std::size_t caption) {
    return image_of_caption[caption] == static_cast<int>(image);
  };
  write_side({names.captions, names.images, [&](auto c, auto i) { return score(i, c); },
              [&](auto c, auto i) { return right(i, c); }},
             names.run, prefix.string() + ".t2i");
  write_side({names.images, names.captions, score, right}, names.run, prefix.string() + ".i2t");
}

}  // namespace hinny

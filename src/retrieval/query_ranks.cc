#include "retrieval/query_ranks.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/threads.h"
#include "retrieval/dot_products.h"
#include "retrieval/ranker.h"

namespace hinny {
namespace {

constexpr std::size_t kPanelScores = std::size_t{6} << 20;  // 24 MB of floats

// A query and a candidate belong together when their labels are equal. Queries without any right
// candidate are none.
std::vector<int> ranks_of(const VectorRows& queries, std::span<const int> query_labels,
                          const VectorRows& candidates, std::span<const int> labels,
                          const std::vector<char>& has_candidate) {
  const std::size_t panel =
      std::max<std::size_t>(1, kPanelScores / std::max<std::size_t>(1, candidates.rows));
  std::vector<float> scores(std::min(panel, queries.rows) * candidates.rows);
  const Ranker ranker(candidates, labels);
  std::vector<int> ranks(queries.rows, QueryRanks::kNoQuery);
  for (std::size_t first = 0; first < queries.rows; first += panel) {
    const std::size_t rows = std::min(panel, queries.rows - first);
    const auto part = queries.values.subspan(first * queries.dim, rows * queries.dim);
    dot_products(part.data(), rows, candidates.values.data(), candidates.rows, queries.dim,
                 scores.data());
    parallel_blocks(rows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const int label = query_labels[first + row];
        if (!has_candidate[static_cast<std::size_t>(label)]) continue;
        ranks[first + row] =
            capped_rank(ranker.wrong_ahead(part.subspan(row * queries.dim, queries.dim),
                                           scores.data() + row * candidates.rows, label));
      }
    });
  }
  return ranks;
}

Recall share_of_hits(const std::vector<int>& ranks) {
  const auto asked =
      ranks.size() - static_cast<std::size_t>(std::ranges::count(ranks, QueryRanks::kNoQuery));
  const double share = asked == 0 ? 0.0 : 100.0 / static_cast<double>(asked);
  const auto at = [&](int k) {
    return share * static_cast<double>(std::ranges::count_if(
                       ranks, [&](int rank) { return rank != QueryRanks::kNoQuery && rank < k; }));
  };
  return {at(kCutoffs[0]), at(kCutoffs[1]), at(kCutoffs[2])};
}

}  // namespace

int capped_rank(std::size_t wrong_ahead) {
  return static_cast<int>(std::min(wrong_ahead, Ranker::kMiss));
}

void check_owners(std::span<const int> image_of_caption, std::size_t images, std::size_t captions) {
  if (image_of_caption.size() != captions) {
    throw std::invalid_argument("rank_queries: not one image for each caption");
  }
  for (const int image : image_of_caption) {
    if (image < 0 || static_cast<std::size_t>(image) >= images) {
      throw std::invalid_argument("rank_queries: a caption of no image");
    }
  }
}

void check_vectors(const VectorRows& images, const VectorRows& captions,
                   std::span<const int> image_of_caption) {
  for (const VectorRows* matrix : {&images, &captions}) {
    if (matrix->values.size() != matrix->rows * matrix->dim) {
      throw std::invalid_argument("rank_queries: a matrix is not rows x dim");
    }
  }
  if (images.dim != captions.dim) {
    throw std::invalid_argument("rank_queries: images and captions of different dim");
  }
  check_owners(image_of_caption, images.rows, captions.rows);
}

QueryRanks rank_queries(const VectorRows& images, const VectorRows& captions,
                        std::span<const int> image_of_caption) {
  check_vectors(images, captions, image_of_caption);
  std::vector<int> self(images.rows);
  std::iota(self.begin(), self.end(), 0);
  std::vector<char> has_caption(images.rows, 0);
  for (const int image : image_of_caption) has_caption[static_cast<std::size_t>(image)] = 1;
  return {ranks_of(images, self, captions, image_of_caption, has_caption),
          ranks_of(captions, image_of_caption, images, self, has_caption)};
}

LanguageRecall recall_of(const QueryRanks& ranks) {
  LanguageRecall result;
  result.captions = ranks.by_caption.size();
  result.image_to_text = share_of_hits(ranks.by_image);
  result.text_to_image = share_of_hits(ranks.by_caption);
  return result;
}

}  // namespace hinny

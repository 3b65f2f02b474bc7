#include "index/asking/region_scores.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/request_error.h"
#include "base/threads.h"
#include "encoder/late_interaction.h"
#include "encoder/pair_attention.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 16;         // pictures, whose regions stay in the second-level cache
constexpr std::size_t kWorthThreads = 64;  // pictures: half a millisecond

void read_block(const Index& index, std::span<const std::size_t> images, std::vector<float>& out) {
  const std::size_t size = index.region_numbers();
  out.resize(images.size() * size);
  for (std::size_t i = 0; i < images.size(); ++i) {
    index.read_regions(images[i], std::span(out).subspan(i * size, size));
  }
}

std::vector<float> scores_of(const Index& index, const EncodedText& sentence,
                             std::span<const float> regions) {
  const ModelConfig& config = index.model().config();
  return config.late
             ? late_scores(*config.late, sentence.items, regions, config.dim, index.regions())
             : pair_scores(*config.attention, sentence.items, regions, config.dim, index.regions());
}

// Of one picture: [words, regions], 1 altogether.
std::vector<float> shares_of(const Index& index, const EncodedText& sentence,
                             std::span<const float> regions) {
  const ModelConfig& config = index.model().config();
  return config.late ? late_shares(*config.late, sentence.items, regions, config.dim)
                     : pair_shares(*config.attention, sentence.items, regions, config.dim);
}

}  // namespace

std::vector<float> region_scores(const Index& index, const Query& query,
                                 std::span<const std::size_t> images) {
  float total = 0;
  for (const Query::Sentence& sentence : query.sentences) total += std::abs(sentence.weight);
  std::vector<float> scores(images.size());
  const auto some = [&](std::size_t begin, std::size_t end) {
    std::vector<float> regions;
    for (std::size_t first = begin; first < end; first += kBlock) {
      read_block(index, images.subspan(first, std::min(kBlock, end - first)), regions);
      for (const Query::Sentence& sentence : query.sentences) {
        const auto own = scores_of(index, sentence.text, regions);
        for (std::size_t i = 0; i < own.size(); ++i) {
          scores[first + i] += sentence.weight / total * own[i];
        }
      }
    }
  };
  if (images.size() < kWorthThreads) {
    some(0, images.size());
  } else {
    parallel_blocks(images.size(), some);
  }
  return scores;
}

std::vector<Hit> hits_by_regions(const Index& index, const Query& query,
                                 std::span<const std::size_t> images, std::size_t k) {
  const std::vector<float> scores = region_scores(index, query, images);
  const auto penalty = [&](std::size_t image) {
    return query.corrected ? index.penalty(image, query.space) : 0;
  };
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (std::isnan(scores[i])) continue;
    hits.push_back({images[i], scores[i] + penalty(images[i])});
  }
  std::ranges::sort(hits, ranks_before);
  hits.resize(std::min(hits.size(), k));
  for (Hit& hit : hits) hit.score -= penalty(hit.image);
  return hits;
}

float region_score(const Index& index, const EncodedText& sentence,
                   std::span<const float> regions) {
  return scores_of(index, sentence, regions).front();
}

Explanation explain(const Index& index, const EncodedText& sentence, std::size_t image) {
  if (index.regions() < 2) {
    throw RequestError(
        "an explanation from a model that sees pictures as a whole",
        "an index of a model with regions (san, dan, scan), or with a re-ranking model");
  }
  Explanation result{{}, {}, grid_of(index)};
  if (!index.attends()) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
      result.words.push_back({sentence.tokens[i], sentence.attention[i], {}});
    }
    result.regions = index.region_attention(image);
    return result;
  }
  const auto shares = shares_of(index, sentence, index.regions_of(image));
  const std::size_t each = index.regions();
  result.regions.resize(each);
  for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
    const auto row = std::span(shares).subspan(i * each, each);
    Explanation::Word word{sentence.tokens[i], 0, {row.begin(), row.end()}};
    for (std::size_t region = 0; region < each; ++region) {
      word.share += row[region];
      result.regions[region] += row[region];
    }
    result.words.push_back(std::move(word));
  }
  return result;
}

std::optional<Grid> grid_of(const Index& index) {
  return grid_named(index.contents().features, index.regions());
}

std::optional<Grid> grid_named(std::string_view features, std::size_t regions) {
  constexpr std::string_view kNamed = "grid";
  const char* const end = features.data() + features.size();
  for (auto at = features.find(kNamed); at != std::string_view::npos;
       at = features.find(kNamed, at + 1)) {
    std::uint16_t rows = 0, columns = 0;
    const auto [cross, no_rows] = std::from_chars(features.data() + at + kNamed.size(), end, rows);
    if (no_rows != std::errc() || cross == end || *cross != 'x') continue;
    if (std::from_chars(cross + 1, end, columns).ec != std::errc()) continue;
    const Grid grid{rows, columns};
    if (grid.rows * grid.columns == regions) return grid;
  }
  return std::nullopt;
}

}  // namespace hinny

#include "index/attended.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/request_error.h"
#include "encoder/pair_attention.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 256;  // pictures

void read_block(const Index& index, std::span<const std::size_t> images, std::vector<float>& out) {
  out.clear();
  std::vector<float> picture;
  for (const std::size_t image : images) {
    index.read_regions(image, picture);
    out.insert(out.end(), picture.begin(), picture.end());
  }
}

}  // namespace

std::vector<Hit> attended_hits(const Index& index, std::span<const Query::Sentence> sentences,
                               std::span<const std::size_t> images, std::size_t k) {
  const CrossAttention& attention = *index.model().config().attention;
  float total = 0;
  for (const Query::Sentence& sentence : sentences) total += std::abs(sentence.weight);
  std::vector<Hit> hits;
  std::vector<float> regions;
  for (std::size_t first = 0; first < images.size(); first += kBlock) {
    const auto block = images.subspan(first, std::min(kBlock, images.size() - first));
    read_block(index, block, regions);
    for (const std::size_t image : block) hits.push_back({image, 0});
    for (const Query::Sentence& sentence : sentences) {
      const auto scores = pair_scores(attention, sentence.text.items, regions, index.contents().dim,
                                      index.regions());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        hits[first + i].score += sentence.weight / total * scores[i];
      }
    }
  }
  std::erase_if(hits, [](const Hit& hit) { return std::isnan(hit.score); });
  std::ranges::sort(hits, ranks_before);
  hits.resize(std::min(hits.size(), k));
  return hits;
}

float attended_score(const Index& index, const EncodedText& sentence,
                     std::span<const float> regions) {
  return pair_scores(*index.model().config().attention, sentence.items, regions,
                     index.contents().dim, index.regions())
      .front();
}

Explanation explain(const Index& index, const EncodedText& sentence, std::size_t image) {
  if (index.regions() < 2) {
    throw RequestError("an explanation from a model that sees pictures as a whole",
                       "an index of a model with regions (san, dan, scan)");
  }
  Explanation result{{}, {}, grid_of(index)};
  if (!index.attends()) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
      result.words.push_back({sentence.tokens[i], sentence.attention[i], {}});
    }
    result.regions = index.region_attention(image);
    return result;
  }
  std::vector<float> regions;
  index.read_regions(image, regions);
  const auto shares =
      pair_shares(*index.model().config().attention, sentence.items, regions, index.contents().dim);
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

#include "encoder/late_interaction.h"

#include <algorithm>
#include <cmath>

#include "base/threads.h"
#include "base/vector_math.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr float kShortest = 1e-12F;  // of a word, as in training

std::vector<float> lengths_of(std::span<const float> rows, std::size_t dim) {
  std::vector<float> lengths;
  for (std::size_t row = 0; row < rows.size(); row += dim) {
    double squares = 0;
    for (const float x : rows.subspan(row, dim)) squares += static_cast<double>(x) * x;
    lengths.push_back(std::max(kShortest, static_cast<float>(std::sqrt(squares))));
  }
  return lengths;
}

// The words' products with all regions: [words, regions of all pictures].
std::vector<float> products_of(std::span<const float> words, std::span<const float> regions,
                               std::size_t dim) {
  std::vector<float> products(words.size() / dim * (regions.size() / dim));
  dot_products_alone(words.data(), words.size() / dim, regions.data(), regions.size() / dim, dim,
                     products.data());
  return products;
}

// exp(sharpness * (cosine - the largest of them)), and that largest.
float raise(std::span<float> products, float length, float sharpness) {
  const float most = *std::ranges::max_element(products);
  for (float& product : products) product = quick_exp((product - most) * (sharpness / length));
  return most / length;
}

}  // namespace

std::vector<float> late_scores(const LateInteraction& late, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim, std::size_t each) {
  const std::vector<float> lengths = lengths_of(words, dim);
  std::vector<float> products = products_of(words, regions, dim);
  const auto sharpness = static_cast<float>(late.sharpness);
  std::vector<float> scores(regions.size() / dim / each);
  float squares = 0;
  for (std::size_t word = 0; word < lengths.size(); ++word) {
    squares += lengths[word] * lengths[word];
    for (std::size_t picture = 0; picture < scores.size(); ++picture) {
      const auto cosines =
          std::span(products).subspan((word * scores.size() + picture) * each, each);
      const float most = raise(cosines, lengths[word], sharpness);
      float sum = 0;
      for (const float x : cosines) sum += x;
      scores[picture] +=
          lengths[word] * (most + std::log(sum / static_cast<float>(each)) / sharpness);
    }
  }
  for (float& score : scores) score /= std::sqrt(squares);
  return scores;
}

std::vector<float> late_shares(const LateInteraction& late, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim) {
  const std::vector<float> lengths = lengths_of(words, dim);
  std::vector<float> shares = products_of(words, regions, dim);
  const std::size_t each = regions.size() / dim;
  float all = 0;
  for (const float length : lengths) all += length;
  for (std::size_t word = 0; word < lengths.size(); ++word) {
    const auto row = std::span(shares).subspan(word * each, each);
    raise(row, lengths[word], static_cast<float>(late.sharpness));
    float sum = 0;
    for (const float x : row) sum += x;
    for (float& share : row) share *= lengths[word] / all / sum;
  }
  return shares;
}

std::vector<float> late_penalties(const HubBank& bank, const HubBank::Space& remembered,
                                  const LateInteraction& late, std::span<const float> regions,
                                  std::size_t each) {
  const std::size_t pictures = regions.size() / bank.dim / each;
  const std::size_t captions = remembered.lengths.size();
  std::vector<float> scores(pictures * captions);  // of each picture side by side
  std::vector<std::span<const float>> words;       // of each caption
  auto rest = std::span(remembered.captions);
  for (const std::int64_t length : remembered.lengths) {
    words.push_back(rest.first(static_cast<std::size_t>(length) * bank.dim));
    rest = rest.subspan(words.back().size());
  }
  parallel_blocks(captions, [&](std::size_t begin, std::size_t end) {
    for (std::size_t caption = begin; caption < end; ++caption) {
      const auto own = late_scores(late, words[caption], regions, bank.dim, each);
      for (std::size_t i = 0; i < pictures; ++i) scores[i * captions + caption] = own[i];
    }
  });
  std::vector<float> penalties;
  for (std::size_t i = 0; i < pictures; ++i) {
    penalties.push_back(hub_penalty(bank, std::span(scores).subspan(i * captions, captions)));
  }
  return penalties;
}

}  // namespace hinny

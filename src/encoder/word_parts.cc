#include "encoder/word_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "text/characters.h"

namespace hinny {
namespace {

constexpr float kAlike = 0.25F;       // less than this cosine is chance
constexpr std::size_t kLongest = 64;  // characters of a word that are looked at

std::uint32_t hash_of(std::string_view part) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char byte : part) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
  return hash;
}

// Where each character begins, and the end.
std::vector<std::size_t> characters_of(std::string_view word) {
  std::vector<std::size_t> starts = {0};
  for_each_character(word, [&](std::size_t, std::size_t end) {
    if (starts.size() <= kLongest) starts.push_back(end);
  });
  return starts;
}

// Without repetition, in order.
std::vector<std::uint32_t> parts_of(std::string_view word) {
  const std::string marked = fmt::format("<{}>", word);
  const std::vector<std::size_t> starts = characters_of(marked);
  const std::size_t count = starts.size() - 1;
  std::vector<std::uint32_t> parts;
  for (std::size_t first = 0; first < count; ++first) {
    const std::string_view character =
        std::string_view(marked).substr(starts[first], starts[first + 1] - starts[first]);
    const std::size_t least = says_much(character) ? 1 : 3;
    for (std::size_t size = least; size <= 5 && first + size <= count; ++size) {
      if (size == count) continue;  // the word itself
      parts.push_back(hash_of(
          std::string_view(marked).substr(starts[first], starts[first + size] - starts[first])));
    }
  }
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

}  // namespace

WordParts::WordParts(const Vocabulary& vocabulary)
    : length_(static_cast<std::size_t>(vocabulary.size())) {
  for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
    for (const std::uint32_t part : parts_of(vocabulary.word(id))) {
      words_of_part_.emplace_back(part, id);
    }
  }
  std::ranges::sort(words_of_part_);
  for (auto first = words_of_part_.begin(); first != words_of_part_.end();) {
    const auto last = std::find_if(first, words_of_part_.end(),
                                   [&](const auto& pair) { return pair.first != first->first; });
    const float square = std::pow(weight(static_cast<std::size_t>(last - first)), 2.0F);
    for (; first != last; ++first) length_[static_cast<std::size_t>(first->second)] += square;
  }
  for (float& square : length_) square = std::sqrt(square);
}

float WordParts::weight(std::size_t words) const {
  return std::log(1.0F + static_cast<float>(length_.size()) / static_cast<float>(words));
}

std::vector<WordParts::Alike> WordParts::alike(std::string_view word) const {
  std::unordered_map<std::int32_t, float> products;
  float square = 0;
  for (const std::uint32_t part : parts_of(word)) {
    const auto first = std::lower_bound(words_of_part_.begin(), words_of_part_.end(),
                                        std::pair{part, std::numeric_limits<std::int32_t>::min()});
    const auto last = std::find_if(first, words_of_part_.end(),
                                   [part](const auto& pair) { return pair.first != part; });
    const float each = weight(std::max<std::size_t>(static_cast<std::size_t>(last - first), 1));
    square += each * each;
    for (auto pair = first; pair != last; ++pair) products[pair->second] += each * each;
  }
  std::vector<Alike> found;
  for (const auto& [id, product] : products) {
    const float cosine = product / (std::sqrt(square) * length_[static_cast<std::size_t>(id)]);
    if (cosine >= kAlike) found.push_back({id, cosine});
  }
  const std::size_t kept = std::min(found.size(), kMost);
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const Alike& a, const Alike& b) {
                              return a.share != b.share ? a.share > b.share : a.id < b.id;
                            });
  found.resize(kept);
  float sum = 0;
  for (const Alike& one : found) sum += one.share;
  for (Alike& one : found) one.share /= sum;
  return found;
}

}  // namespace hinny

#include "translation/diversity.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/utf16.h"

namespace hinny {
namespace {

bool is_word(const std::string& token) {
  const icu::UnicodeString text = to_utf16(token);
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    if (u_isalnum(text.char32At(i)) != 0) return true;
  }
  return false;
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> mean_segmental_ratio(const std::vector<std::size_t>& words,
                                           std::size_t length) {
  if (length == 0 || words.size() < length) return std::nullopt;
  const std::size_t segments = words.size() / length;
  double sum = 0.0;
  for (std::size_t i = 0; i < segments; ++i) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i * length);
    const std::unordered_set<std::size_t> distinct(begin,
                                                   begin + static_cast<std::ptrdiff_t>(length));
    sum += ratio(distinct.size(), length);
  }
  return sum / static_cast<double>(segments);
}

}  // namespace

LexicalDiversity lexical_diversity(const std::vector<std::vector<std::string>>& sentences,
                                   std::size_t segment) {
  std::unordered_map<std::string, std::size_t> numbers;
  std::unordered_set<std::uint64_t> pairs;
  std::vector<std::size_t> words;
  std::size_t pair_count = 0;
  for (const std::vector<std::string>& sentence : sentences) {
    const std::size_t begin = words.size();
    for (const std::string& token : sentence) {
      if (!is_word(token)) continue;
      words.push_back(numbers.try_emplace(token, numbers.size()).first->second);
      if (words.size() - begin < 2) continue;
      ++pair_count;
      pairs.insert(std::uint64_t{words[words.size() - 2]} << 32U | words.back());
    }
  }
  LexicalDiversity result;
  result.words = static_cast<std::int64_t>(words.size());
  result.distinct_words = static_cast<std::int64_t>(numbers.size());
  result.type_token_ratio = ratio(numbers.size(), words.size());
  result.distinct_2 = ratio(pairs.size(), pair_count);
  result.mean_segmental_ratio = mean_segmental_ratio(words, segment);
  return result;
}

}  // namespace hinny

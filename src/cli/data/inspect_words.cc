#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "cli/data/inspect_kinds.h"
#include "cli/data/train_captions.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;
using WordSet = std::set<std::string>;

WordSet frequent(const WordCounts& counts, std::int64_t min_count) {
  WordSet words;
  for (const auto& [word, count] : counts) {
    if (count >= min_count) words.insert(word);
  }
  return words;
}

// Words of both, by words of either; to four digits.
double jaccard(const WordSet& a, const WordSet& b) {
  const auto both =
      std::ranges::count_if(a, [&](const std::string& word) { return b.contains(word); });
  const double either = static_cast<double>(a.size() + b.size()) - static_cast<double>(both);
  return either == 0 ? 0 : std::round(1e4 * static_cast<double>(both) / either) / 1e4;
}

}  // namespace

ordered_json inspect_words(const std::filesystem::path& folder, std::int64_t min_count) {
  const Dataset dataset = Dataset::load(folder);
  const std::vector<std::string>& languages = dataset.languages();
  std::vector<WordSet> words;
  WordSet all;
  std::size_t sum = 0;
  ordered_json sizes = ordered_json::object(), overlap = ordered_json::object();
  for (std::size_t a = 0; a < languages.size(); ++a) {
    words.push_back(frequent(train_words(dataset, languages[a]), min_count));
    all.insert(words[a].begin(), words[a].end());
    sum += words[a].size();
    sizes[languages[a]] = words[a].size();
    for (std::size_t b = 0; b < a; ++b)
      overlap[languages[b]][languages[a]] = jaccard(words[b], words[a]);
  }
  return {{"least count", min_count},
          {"words", sizes},
          {"words of all languages", sum},
          {"different ones", all.size()},
          {"overlap (Jaccard)", overlap}};
}

}  // namespace hinny

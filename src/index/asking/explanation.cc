#include "index/asking/explanation.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hinny {
namespace {

using nlohmann::ordered_json;

double rounded(float share) { return std::round(static_cast<double>(share) * 1e4) / 1e4; }

ordered_json rounded(const std::vector<float>& shares) {
  ordered_json list = ordered_json::array();
  for (const float share : shares) list.push_back(rounded(share));
  return list;
}

}  // namespace

ordered_json as_json(const Explanation& explanation) {
  ordered_json words = ordered_json::array();
  for (const Explanation::Word& word : explanation.words) {
    words.push_back({{"word", word.text}, {"share", rounded(word.share)}});
    if (!word.regions.empty()) words.back()["regions"] = rounded(word.regions);
  }
  ordered_json json = {{"words", words}, {"regions", rounded(explanation.regions)}};
  if (explanation.grid) json["grid"] = {explanation.grid->rows, explanation.grid->columns};
  return json;
}

}  // namespace hinny

// What tests/reference/translation_scores.py computed, with Python's regular expressions and
// counters, for the lines it holds.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/read_file.h"
#include "translation/score_words.h"

namespace hinny {

struct ScoredCorpus {
  nlohmann::json scores;
  Lines hypotheses;
  std::vector<Lines> references;
};

inline std::vector<ScoredCorpus> scored_corpora() {
  const auto json =
      nlohmann::json::parse(read_file(std::filesystem::path(__FILE__).parent_path() /
                                      "../../tests/reference/translation_scores.json"));
  std::vector<ScoredCorpus> corpora;
  for (const auto& corpus : json) {
    corpora.push_back({corpus, corpus["hypotheses"].get<Lines>(),
                       corpus["references"].get<std::vector<Lines>>()});
  }
  return corpora;
}

inline ScoreTokeniser tokeniser_of(const nlohmann::json& score) {
  return score_tokeniser(score["tokeniser"].get<std::string>());
}

}  // namespace hinny

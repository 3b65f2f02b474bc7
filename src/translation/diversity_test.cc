#include "translation/diversity.h"

#include <gtest/gtest.h>

#include "translation/score_fixture.h"

namespace hinny {
namespace {

TEST(Diversity, AgreesWithPython) {
  for (const ScoredCorpus& corpus : scored_corpora()) {
    const auto& wanted = corpus.scores["diversity"];
    std::vector<std::vector<std::string>> sentences;
    for (const std::string& line : corpus.hypotheses) {
      sentences.push_back(score_words(lower_cased(line), ScoreTokeniser::mteval_13a));
    }
    const LexicalDiversity found = lexical_diversity(sentences, wanted["segment"]);
    EXPECT_EQ(found.words, wanted["words"]);
    EXPECT_EQ(found.distinct_words, wanted["distinct_words"]);
    EXPECT_NEAR(found.distinct_2, wanted["distinct_2"].get<double>(), 1e-12);
    const auto& segmental = wanted["mean_segmental_ratio"];
    ASSERT_EQ(found.mean_segmental_ratio.has_value(), !segmental.is_null());
    if (found.mean_segmental_ratio) {
      EXPECT_NEAR(*found.mean_segmental_ratio, segmental.get<double>(), 1e-12);
    }
  }
}

TEST(Diversity, CountsWordsAndPairsWithinSentences) {
  const LexicalDiversity found = lexical_diversity({{"a", ",", "b", "a"}, {"b", "c", "."}, {}}, 2);
  EXPECT_EQ(found.words, 5);
  EXPECT_EQ(found.distinct_words, 3);
  EXPECT_DOUBLE_EQ(found.type_token_ratio, 0.6);
  EXPECT_DOUBLE_EQ(found.distinct_1(), 0.6);
  EXPECT_DOUBLE_EQ(found.distinct_2, 1.0);  // ab, ba; bc, and no ab between the sentences
  EXPECT_DOUBLE_EQ(*found.mean_segmental_ratio, 1.0);
  EXPECT_DOUBLE_EQ(*lexical_diversity({{"a", "a", "a", "b"}}, 2).mean_segmental_ratio, 0.75);
}

TEST(Diversity, OfNoWordsIsZero) {
  const LexicalDiversity found = lexical_diversity({{"...", "!"}, {}});
  EXPECT_EQ(found.words, 0);
  EXPECT_EQ(found.type_token_ratio, 0.0);
  EXPECT_EQ(found.distinct_2, 0.0);
  EXPECT_FALSE(found.mean_segmental_ratio.has_value());
}

TEST(Diversity, SegmentsHaveAThousandWords) {
  const std::vector<std::string> sentence(kDiversitySegment - 1, "a");
  EXPECT_FALSE(lexical_diversity({sentence}).mean_segmental_ratio.has_value());
  EXPECT_DOUBLE_EQ(*lexical_diversity({sentence, {"a", "b"}}).mean_segmental_ratio, 0.001);
}

}  // namespace
}  // namespace hinny

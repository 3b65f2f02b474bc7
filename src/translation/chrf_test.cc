#include "translation/chrf.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "translation/score_fixture.h"

namespace hinny {
namespace {

TEST(Chrf, AgreesWithPython) {
  for (const ScoredCorpus& corpus : scored_corpora()) {
    for (const auto& wanted : corpus.scores["chrf"]) {
      const Chrf found = chrf(corpus.hypotheses, corpus.references, wanted["lower"]);
      EXPECT_NEAR(found.score, wanted["score"].get<double>(), 1e-9) << corpus.hypotheses[0];
    }
  }
}

// sacreBLEU's tests (2.0, test/test_chrf.py), whose beta is 3: where precision and recall are
// equal, beta does not matter.
TEST(Chrf, IsSacreBleus) {
  EXPECT_NEAR(chrf({"a"}, {{"a"}}).score, 100.0, 1e-9);
  EXPECT_NEAR(chrf({"a b c"}, {{"abc"}}).score, 100.0, 1e-9);
  EXPECT_NEAR(chrf({"a", "b"}, {{"a", "c"}}).score, 50.0, 1e-9);
  EXPECT_NEAR(chrf({"aa"}, {{"ab"}}).score, 25.0, 1e-9);
  EXPECT_EQ(chrf({""}, {{"reference"}}).score, 0.0);
  EXPECT_EQ(chrf({"abcdefg"}, {{"hijklmnop"}}).score, 0.0);
}

TEST(Chrf, CountsRecallTwice) {
  // Precision 1 and recall 1 / 2 of single characters; no longer n-grams in common orders.
  EXPECT_NEAR(chrf({"a"}, {{"ab"}}).score, 100.0 * 5.0 * 0.5 / 4.5, 1e-9);
}

TEST(Chrf, SeesCodePoints) {
  EXPECT_NEAR(chrf({"ä"}, {{"äß"}}).score, 100.0 * 5.0 * 0.5 / 4.5, 1e-9);
  EXPECT_NEAR(chrf({"\xF0\x9F\x90\xB4"}, {{"\xF0\x9F\x90\xB1"}}).score, 0.0, 1e-9);
  EXPECT_NEAR(chrf({"É"}, {{"é"}}, true).score, 100.0, 1e-9);
  EXPECT_EQ(chrf({"É"}, {{"é"}}).score, 0.0);
}

TEST(Chrf, SignsItsOptions) {
  EXPECT_TRUE(chrf({"a"}, {{"a"}, {"b"}}, true)
                  .signature()
                  .starts_with("nrefs:2|case:lc|eff:yes|nc:6|nw:0|space:no|version:hinny-"));
  EXPECT_THROW(chrf({}, {{}}), InputError);
}

}  // namespace
}  // namespace hinny

#include "translation/meteor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "translation/score_fixture.h"

namespace hinny {
namespace {

TEST(Meteor, AgreesWithPython) {
  for (const ScoredCorpus& corpus : scored_corpora()) {
    for (const auto& wanted : corpus.scores["meteor"]) {
      const Meteor found = meteor(corpus.hypotheses, corpus.references,
                                  {corpus.scores["language"], tokeniser_of(wanted)});
      EXPECT_NEAR(found.score, wanted["score"].get<double>(), 1e-9) << wanted;
      EXPECT_EQ(found.matches, wanted["matches"]);
      EXPECT_EQ(found.chunks, wanted["chunks"]);
      EXPECT_EQ(found.hypothesis_words, wanted["hypothesis_words"]);
      EXPECT_EQ(found.reference_words, wanted["reference_words"]);
    }
  }
}

// Papineni et al.'s sentences, scored with NLTK 3.8 without WordNet, of whose alignments these two
// have the fewest chunks.
TEST(Meteor, IsNltks) {
  const Lines hypothesis = {
      "It is a guide to action which ensures that the military always obeys the commands of the "
      "party"};
  EXPECT_NEAR(meteor(hypothesis, {{"It is the guiding principle which guarantees the military "
                                   "forces always being under the command of the Party"}})
                  .score,
              62.5, 1e-9);
  EXPECT_NEAR(meteor(hypothesis, {{"It is the practical guide for the army always to heed the "
                                   "directions of the party"}})
                  .score,
              51.1419753086, 1e-9);
}

TEST(Meteor, TakesStemsOfTheLanguage) {
  const Lines hypothesis = {"Hunde spielten"};
  const std::vector<Lines> reference = {{"Hund spielt"}};
  EXPECT_EQ(meteor(hypothesis, reference, {"de"}).matches, 2);
  EXPECT_EQ(meteor(hypothesis, reference, {"ja"}).matches, 0);
  EXPECT_EQ(meteor({"running"}, {{"runs"}}, {"en-GB"}).stemmer, "snowball-en");
  EXPECT_EQ(meteor({"hunder"}, {{"hund"}}, {"nb"}).matches, 1);
  EXPECT_EQ(meteor({"a"}, {{"a"}}, {"ja"}).stemmer, "none");
  EXPECT_THROW(meteor({"a"}, {{"a"}}, {"no language"}), InputError);
}

TEST(Meteor, SumsLinesAndTakesTheBestReference) {
  const Meteor sum = meteor({"a b c d", "x"}, {{"a b c e", "y"}, {"a b c d", "x y"}});
  EXPECT_EQ(sum.matches, 5);
  EXPECT_EQ(sum.chunks, 2);
  EXPECT_EQ(sum.reference_words, 6);
  const double mean = 10.0 * 1.0 * (5.0 / 6.0) / (5.0 / 6.0 + 9.0);
  EXPECT_NEAR(sum.score, 100.0 * mean * (1.0 - 0.5 * std::pow(2.0 / 5.0, 3)), 1e-9);
  EXPECT_EQ(meteor({""}, {{"a"}}).score, 0.0);
  EXPECT_EQ(meteor({""}, {{""}}).score, 0.0);
}

TEST(Meteor, SignsItsOptions) {
  EXPECT_TRUE(meteor({"a"}, {{"a"}}, {"de", ScoreTokeniser::none})
                  .signature()
                  .starts_with("nrefs:1|case:lc|tok:none|stem:snowball-de|alpha:0.9|beta:3|"
                               "gamma:0.5|version:hinny-"));
}

}  // namespace
}  // namespace hinny

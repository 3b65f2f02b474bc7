#include "translation/bleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "translation/score_fixture.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;

TEST(Bleu, AgreesWithPython) {
  for (const ScoredCorpus& corpus : scored_corpora()) {
    for (const auto& wanted : corpus.scores["bleu"]) {
      const Bleu found =
          bleu(corpus.hypotheses, corpus.references, {tokeniser_of(wanted), wanted["lower"]});
      EXPECT_NEAR(found.score, wanted["score"].get<double>(), 1e-9) << wanted;
      EXPECT_NEAR(found.brevity_penalty, wanted["brevity_penalty"].get<double>(), 1e-12);
      EXPECT_EQ(found.hypothesis_words, wanted["hypothesis_words"]);
      EXPECT_EQ(found.reference_words, wanted["reference_words"]);
      for (std::size_t i = 0; i < kBleuOrder; ++i) {
        EXPECT_NEAR(found.precisions[i], wanted["precisions"][i].get<double>(), 1e-9) << wanted;
      }
    }
  }
}

// The example of sacreBLEU's README, with the scores of its tests (2.0, test/test_bleu.py).
TEST(Bleu, IsSacreBleus) {
  const Lines hypotheses = {"The dog bit the man.", "It wasn't surprising.",
                            "The man had just bitten him."};
  const std::vector<Lines> references = {
      {"The dog bit the man.", "It was not unexpected.", "The man bit him first."},
      {"The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."}};
  EXPECT_NEAR(bleu(hypotheses, references).score, 48.530827, 1e-6);
  EXPECT_NEAR(bleu(hypotheses, references, {ScoreTokeniser::none, false}).score, 49.1919566, 1e-6);
  EXPECT_EQ(bleu({"", "", ""}, references).score, 0.0);

  const Bleu counted =
      bleu({"am I am a character sequence"}, {{"I am a symbol string sequence a a"}});
  EXPECT_THAT(counted.matches, ElementsAre(4, 2, 1, 0));
  EXPECT_THAT(counted.ngrams, ElementsAre(6, 5, 4, 3));

  const Lines one = {"Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"};
  const std::vector<Lines> by = {{"producţia de zahăr brut se exprimă în zahăr alb;"}};
  EXPECT_NEAR(bleu(one, by).score, 8.493, 1e-3);
  EXPECT_NEAR(bleu(one, by, {ScoreTokeniser::none, false}).score, 7.347, 1e-3);
}

TEST(Bleu, OfEqualTextIsAHundred) {
  const Bleu same = bleu({"a man rides a horse", "b"}, {{"a man rides a horse", "b"}});
  EXPECT_NEAR(same.score, 100.0, 1e-12);
  EXPECT_EQ(same.brevity_penalty, 1.0);
}

TEST(Bleu, AnEmptyReferenceIsAReference) {
  // Of two references as near in length, the shorter one counts.
  EXPECT_EQ(bleu({"a"}, {{"a b"}, {""}}).reference_words, 0);
  EXPECT_EQ(bleu({"a b c d"}, {{""}}).score, 0.0);
  EXPECT_EQ(bleu({""}, {{"a"}}).brevity_penalty, 0.0);
}

TEST(Bleu, SignsItsOptions) {
  EXPECT_TRUE(bleu({"a"}, {{"a"}})
                  .signature()
                  .starts_with("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:hinny-"));
  EXPECT_TRUE(bleu({"a"}, {{"a"}, {"b"}}, {ScoreTokeniser::none, true})
                  .signature()
                  .starts_with("nrefs:2|case:lc|eff:no|tok:none|smooth:exp|"));
  EXPECT_THROW(bleu({"a"}, {{"a", "b"}}), InputError);
}

// Unigrams 3 of 4, bigrams 1 of 3; the orders above match nothing: 1 / 2 of 2 and 1 / 4 of 1.
TEST(Bleu, OfChineseIsByCharacter) {
  const Lines hypotheses = {"一只狗。"};
  const std::vector<Lines> references = {{"一只猫。"}};
  EXPECT_EQ(bleu(hypotheses, references).score, 0.0);
  const Bleu zh = bleu(hypotheses, references, {tokeniser_for("zh"), true});
  EXPECT_NEAR(zh.score, 100 * std::pow(3.0 / 4 * 1 / 3 * 1 / 4 * 1 / 4, 0.25), 1e-9);
  EXPECT_EQ(zh.hypothesis_words, 4);
  EXPECT_THAT(zh.signature(), testing::HasSubstr("|case:lc|eff:no|tok:zh|smooth:exp|"));
}

}  // namespace
}  // namespace hinny

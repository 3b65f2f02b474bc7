#include "training/experiment/corpus.h"

#include <gmock/gmock.h>

#include "base/threads.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using testing::ElementsAre;

class CorpusTest : public testing::Test {
 protected:
  TinyDataset files_;
  Dataset dataset_ = Dataset::load(files_.folder());
  TextSettings settings_;
  // The caption "blue ball" of the second image, which is a training image.
  int blue_ball() const { return dataset_.captions_of(1, dataset_.language("en"))[0]; }
};

TEST_F(CorpusTest, VocabulariesComeFromTheGivenImagesAlone) {
  const TokenisedCaptions captions(dataset_, settings_);
  const Vocabularies vocabularies = build_vocabularies(captions.count_words({0}), settings_);
  EXPECT_EQ(vocabularies.at("en").size(), kFirstWord + 2);  // red ball; "there" comes once
  EXPECT_EQ(vocabularies.at("en").id("blue"), kUnknown);
  EXPECT_EQ(vocabularies.at("de").id("rot") >= kFirstWord, true);
}

TEST_F(CorpusTest, UnknownWordsAreDroppedOrReplacedAndMarkersAdded) {
  const std::vector<int> only_red = {0};
  for (const bool token : {false, true}) {
    settings_.unknown = token ? UnknownWords::token : UnknownWords::drop;
    settings_.markers = token;
    const TokenisedCaptions captions(dataset_, settings_);
    const Vocabularies vocabularies = build_vocabularies(captions.count_words(only_red), settings_);
    const std::int32_t ball = vocabularies.at("en").id("ball");
    const Corpus corpus(captions, vocabularies);
    const auto ids = corpus.caption(blue_ball());
    const std::vector<std::int32_t> got(ids.begin(), ids.end());
    if (token) {
      EXPECT_THAT(got, ElementsAre(kStart, kUnknown, ball, kEnd));
    } else {
      EXPECT_THAT(got, ElementsAre(ball));
    }
  }
}

TEST_F(CorpusTest, ACaptionWithoutKnownWordsIsTheUnknownIdAlone) {
  settings_.markers = true;  // and gets none, as the encoder has it (docs/formats/model.md)
  const TokenisedCaptions captions(dataset_, settings_);
  Vocabularies vocabularies{{"en", Vocabulary()}, {"de", Vocabulary()}};
  const Corpus corpus(captions, vocabularies);
  const auto ids = corpus.caption(0);
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(ids[0], kUnknown);
}

TEST_F(CorpusTest, WordsOfAKnownVocabularyAreFoundHoweverTheirLettersAreTyped) {
  Vocabularies vocabularies;
  vocabularies["en"].add("b\u00e4ll", 3);
  vocabularies["de"].add("rot", 3);
  const auto ids = [&](const Vocabularies* known) {
    const TokenisedCaptions captions(dataset_, settings_, {}, known);
    const Corpus corpus(captions, vocabularies);
    const auto found = corpus.caption(blue_ball());
    return std::vector<std::int32_t>(found.begin(), found.end());
  };
  EXPECT_THAT(ids(nullptr), ElementsAre(kUnknown));  // as training reads
  EXPECT_THAT(ids(&vocabularies), ElementsAre(kFirstWord));
}

TEST_F(CorpusTest, DoesNotDependOnTheNumberOfThreads) {
  std::vector<std::vector<std::int32_t>> seen;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    const TokenisedCaptions captions(dataset_, settings_);
    const Corpus corpus(
        captions, build_vocabularies(captions.count_words(dataset_.split("train")), settings_));
    std::vector<std::int32_t> all;
    for (std::size_t c = 0; c < dataset_.captions().size(); ++c) {
      const auto ids = corpus.caption(static_cast<int>(c));
      all.insert(all.end(), ids.begin(), ids.end());
    }
    seen.push_back(all);
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(CorpusTest, ASharedVocabularyCountsAllLanguages) {
  settings_.vocabulary = Sharing::shared;
  const TokenisedCaptions captions(dataset_, settings_);
  const Vocabularies vocabularies =
      build_vocabularies(captions.count_words(dataset_.split("train")), settings_);
  ASSERT_EQ(vocabularies.size(), 1U);
  EXPECT_EQ(
      vocabularies.at(kSharedVocabulary).count(vocabularies.at(kSharedVocabulary).id("there")), 48);
}

}  // namespace
}  // namespace hinny

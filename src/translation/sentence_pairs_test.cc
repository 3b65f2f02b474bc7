#include "translation/sentence_pairs.h"

#include <gtest/gtest.h>

#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

TEST(SentencePairs, TakesImagesWithOneCaptionInEach) {
  const Scratch folder;
  write_file(folder / "images.jsonl",
             "{\"image\":\"a\",\"split\":\"train\"}\n{\"image\":\"b\",\"split\":\"train\"}\n"
             "{\"image\":\"c\",\"split\":\"train\"}\n{\"image\":\"d\",\"split\":\"val\"}\n");
  const auto caption = [](const char* image, const char* language, const char* text) {
    return std::string("{\"image\":\"") + image + "\",\"lang\":\"" + language + "\",\"text\":\"" +
           text + "\",\"source\":\"human-original\"}\n";
  };
  write_file(folder / "captions.jsonl",
             caption("a", "en", "one") + caption("a", "de", "eins") + caption("b", "en", "two") +
                 caption("b", "de", "zwei") + caption("b", "de", "zwo") +
                 caption("c", "en", "three") + caption("d", "de", "vier") +
                 caption("d", "en", "four"));
  const Dataset dataset = Dataset::load(folder);
  const SentencePairs pairs = sentence_pairs(dataset, "train", {"de", "en"});
  ASSERT_EQ(pairs.pairs.size(), 1);
  EXPECT_EQ(dataset.captions()[static_cast<std::size_t>(pairs.pairs[0].source)].text, "eins");
  EXPECT_EQ(dataset.captions()[static_cast<std::size_t>(pairs.pairs[0].target)].text, "one");
  EXPECT_EQ(pairs.unclear, 1);
  EXPECT_EQ(sentence_pairs(dataset, "val", {"en", "de"}).pairs.size(), 1);
}

TEST(PairBatches, HoldEveryPairOnceAndAreAlwaysAsMany) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < 200; ++i) lengths.push_back(2 + i * 7 % 11);
  const PairBatches batches(lengths, 40, 1);
  std::set<std::vector<std::vector<std::size_t>>> epochs;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    const auto plans = batches.epoch(epoch);
    EXPECT_EQ(static_cast<std::int64_t>(plans.size()), batches.count());
    std::set<std::size_t> seen;
    for (const auto& plan : plans) {
      std::int64_t longest = 0;
      for (const std::size_t pair : plan) {
        longest = std::max(longest, lengths[pair]);
        EXPECT_TRUE(seen.insert(pair).second);
      }
      EXPECT_LE(longest * static_cast<std::int64_t>(plan.size()), 40);
    }
    EXPECT_EQ(seen.size(), lengths.size());
    epochs.insert(plans);
    EXPECT_EQ(plans, batches.epoch(epoch));
  }
  EXPECT_EQ(epochs.size(), 3);
}

TEST(PairBatches, APairLongerThanABatchIsOneOfItsOwn) {
  const PairBatches batches({100, 2}, 10, 1);
  EXPECT_EQ(batches.count(), 2);
}

TEST(DirectionsOf, AreAllPairsOrThoseNamed) {
  EXPECT_EQ(directions_of({}, {"de", "en", "fr"}).size(), 6);
  const auto named = directions_of({"en-de"}, {"de", "en"});
  ASSERT_EQ(named.size(), 1);
  EXPECT_EQ(named[0], (Direction{"en", "de"}));
  EXPECT_THROW(directions_of({"en-fr"}, {"de", "en"}), InputError);
  EXPECT_THROW(directions_of({}, {"de"}), InputError);
}

}  // namespace
}  // namespace hinny

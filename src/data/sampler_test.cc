#include "data/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// 20 images: each has 5 captions in en, the first 15 have 1 in ja, the first 6 have 2 in zh; image
// 20 has none.
class SamplerTest : public testing::Test {
 protected:
  static constexpr int kImages = 20;

  void SetUp() override {
    std::ofstream images(folder / "images.jsonl"), captions(folder / "captions.jsonl");
    for (int i = 0; i <= kImages; ++i) {
      images << R"({"image": ")" << i << R"(", "split": "train"})" << '\n';
      const std::map<std::string, int> counts = {
          {"en", i < 20 ? 5 : 0}, {"ja", i < 15 ? 1 : 0}, {"zh", i < 6 ? 2 : 0}};
      for (const auto& [language, count] : counts) {
        for (int k = 0; k < count; ++k) {
          captions << R"({"image": ")" << i << R"(", "lang": ")" << language << R"(", "text": "x)"
                   << k << R"(", "source": "human-original"})" << '\n';
        }
      }
    }
    images.close();
    captions.close();
    dataset = Dataset::load(folder);
    all.resize(kImages + 1);
    std::iota(all.begin(), all.end(), 0);
  }

  const Caption& caption(int position) const {
    return dataset.captions()[static_cast<std::size_t>(position)];
  }
  // Every caption stands beside its own image and in its own language.
  void expect_consistent(const std::vector<BatchPlan>& plans) const {
    for (const BatchPlan& plan : plans) {
      EXPECT_EQ(std::set<int>(plan.images.begin(), plan.images.end()).size(), plan.images.size());
      for (const LanguageBatch& batch : plan.languages) {
        EXPECT_FALSE(batch.captions.empty());
        ASSERT_EQ(batch.captions.size(), batch.rows.size());
        for (std::size_t i = 0; i < batch.rows.size(); ++i) {
          EXPECT_EQ(caption(batch.captions[i]).image,
                    plan.images[static_cast<std::size_t>(batch.rows[i])]);
          EXPECT_EQ(caption(batch.captions[i]).language, batch.language);
        }
      }
    }
  }

  const Scratch folder;
  Dataset dataset;
  std::vector<int> all;
};

TEST_F(SamplerTest, EveryCaptionedImageComesOncePerEpoch) {
  SamplerOptions options;
  options.images_per_batch = 6;
  options.drop_last = false;
  const auto sampler = sample_images(dataset, all, options);
  const auto plans = sampler->epoch(3);
  expect_consistent(plans);
  ASSERT_EQ(plans.size(), 4U);
  EXPECT_EQ(sampler->batches_per_epoch(), 4);
  EXPECT_EQ(plans[3].images.size(), 2U);
  std::multiset<int> seen;
  for (const BatchPlan& plan : plans) seen.insert(plan.images.begin(), plan.images.end());
  EXPECT_EQ(seen, std::multiset<int>(all.begin(), all.end() - 1));

  options.drop_last = true;
  EXPECT_EQ(sample_images(dataset, all, options)->epoch(0).size(), 3U);
  options.images_per_batch = 100;
  const auto only = sample_images(dataset, all, options)->epoch(0);
  ASSERT_EQ(only.size(), 1U);
  EXPECT_EQ(only[0].images.size(), 20U);
}

TEST_F(SamplerTest, AnEpochDependsOnSeedAndNumberAlone) {
  SamplerOptions options;
  options.images_per_batch = 4;
  SamplerOptions other = options;
  other.seed = 2;
  for (const auto make : {&sample_images, &sample_captions}) {
    const auto sampler = make(dataset, all, options);
    const auto first = sampler->epoch(5);
    EXPECT_NE(first, sampler->epoch(6));
    EXPECT_EQ(first, sampler->epoch(5));
    EXPECT_EQ(first, make(dataset, all, options)->epoch(5));
    EXPECT_NE(first, make(dataset, all, other)->epoch(5));
  }
}

TEST_F(SamplerTest, LanguagesTakeTheirNumberOfCaptions) {
  SamplerOptions options;
  options.images_per_batch = 20;
  options.captions_per_image = 3;
  options.captions_by_language = {{"ja", 2}, {"zh", 5}};
  const BatchPlan filled = sample_images(dataset, all, options)->epoch(0)[0];
  ASSERT_EQ(filled.languages.size(), 3U);
  EXPECT_EQ(filled.languages[0].captions.size(), 20U * 3);
  EXPECT_EQ(filled.languages[1].captions.size(), 15U * 2);
  EXPECT_EQ(filled.languages[2].captions.size(), 6U * 5);
  // Enough captions: none twice. Too few: repeated evenly.
  std::map<int, int> uses;
  for (const LanguageBatch& batch : filled.languages) {
    for (const int position : batch.captions) ++uses[position];
  }
  EXPECT_EQ(uses.size(), 20U * 3 + 15 + 6 * 2);
  for (const auto& [position, count] : uses) {
    const int language = caption(position).language;
    if (language < 2) {
      EXPECT_EQ(count, language + 1);
    } else {
      EXPECT_TRUE(count == 2 || count == 3) << count;
    }
  }

  options.replacement = Replacement::none;
  const BatchPlan plain = sample_images(dataset, all, options)->epoch(0)[0];
  EXPECT_EQ(plain.languages[0].captions.size(), 20U * 3);
  EXPECT_EQ(plain.languages[1].captions.size(), 15U);
  EXPECT_EQ(plain.languages[2].captions.size(), 6U * 2);
}

TEST_F(SamplerTest, CaptionsVaryFromEpochToEpoch) {
  SamplerOptions options;
  options.captions_per_image = 1;
  std::set<int> seen;
  for (int epoch = 0; epoch < 40; ++epoch) {
    const auto plans = sample_images(dataset, {0}, options)->epoch(epoch);
    seen.insert(plans[0].languages[0].captions[0]);
  }
  EXPECT_EQ(seen.size(), 5U);
}

// Images 0 to 5 are of en+ja and of en+zh, 6 to 14 of en+ja, 15 to 19 of en.
TEST_F(SamplerTest, GroupsHaveAsManyImagesInEveryBatch) {
  SamplerOptions options;
  options.images_per_batch = 6;
  options.groups = {{"en"}, {"en", "ja"}, {"en", "zh"}};
  const auto sampler = sample_images(dataset, all, options);
  std::map<int, int> seen;
  for (int epoch = 0; epoch < 4; ++epoch) {
    const auto plans = sampler->epoch(epoch);
    expect_consistent(plans);
    ASSERT_EQ(plans.size(), 7U);  // en+ja has 15 images
    ASSERT_EQ(sampler->batches_per_epoch(), 7);
    std::set<int> japanese;
    for (const BatchPlan& plan : plans) {
      std::map<int, std::set<int>> speaks;  // images of each language
      for (const LanguageBatch& batch : plan.languages) {
        for (const int row : batch.rows) {
          speaks[batch.language].insert(plan.images[static_cast<std::size_t>(row)]);
        }
        // Once for each image that speaks it, also where two groups bring that image.
        EXPECT_EQ(batch.captions.size(), speaks[batch.language].size() * 2);
      }
      ASSERT_EQ(speaks.size(), 3U);
      const std::set<int>& ja = speaks[1];
      const std::set<int>& zh = speaks[2];
      EXPECT_EQ(speaks[0].size(), plan.images.size());
      EXPECT_EQ(ja.size(), 2U);
      EXPECT_EQ(zh.size(), 2U);
      std::size_t english_only = 0;
      for (const int image : plan.images) {
        english_only += !ja.contains(image) && !zh.contains(image) ? 1U : 0U;
        EXPECT_EQ(image >= 15, !ja.contains(image) && !zh.contains(image)) << image;
        ++seen[image];
      }
      EXPECT_EQ(english_only, 2U);
      japanese.insert(ja.begin(), ja.end());
    }
    EXPECT_EQ(japanese.size(), 14U);  // the odd one waits for another epoch
  }
  EXPECT_EQ(seen.size(), 20U);
  // Images of small groups come far more often: 14 drawings an epoch over 5 images, not over 15.
  EXPECT_GT(seen[19] + seen[18], seen[14] + seen[13]);
}

TEST_F(SamplerTest, AnEpochOfCaptionsPassesEveryPairOnce) {
  SamplerOptions options;
  options.images_per_batch = 8;
  options.captions_per_image = 1;
  options.drop_last = false;
  options.epoch_of = EpochOf::captions;
  options.replacement = Replacement::none;
  const auto sampler = sample_images(dataset, all, options);
  ASSERT_EQ(sampler->batches_per_epoch(), 13);  // 20 images, 5 times
  for (int epoch = 0; epoch < 3; ++epoch) {
    const auto plans = sampler->epoch(epoch);
    expect_consistent(plans);
    EXPECT_EQ(plans, sampler->epoch(epoch));
    std::map<int, int> uses;
    std::multiset<int> first_round;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      for (const LanguageBatch& batch : plans[i].languages) {
        for (const int position : batch.captions) ++uses[position];
      }
      if (i < 2) first_round.insert(plans[i].images.begin(), plans[i].images.end());
    }
    EXPECT_EQ(uses.size(), dataset.captions().size());
    for (const auto& [position, count] : uses) EXPECT_EQ(count, 1) << position;
    // No image comes again before all have come.
    EXPECT_EQ(std::set<int>(first_round.begin(), first_round.end()).size(), 16U);
  }
  EXPECT_NE(sampler->epoch(0), sampler->epoch(1));

  // Filled, a language with fewer captions is there in every round.
  options.replacement = Replacement::fill;
  options.captions_by_language = {{"en", 2}};
  const auto filled = sample_images(dataset, all, options);
  ASSERT_EQ(filled->batches_per_epoch(), 8);  // 20 images, 3 times; zh ends after 2
  std::map<int, int> uses;
  for (const BatchPlan& plan : filled->epoch(0)) {
    for (const LanguageBatch& batch : plan.languages) {
      for (const int position : batch.captions) ++uses[position];
    }
  }
  for (const auto& [position, count] : uses) {
    const int language = caption(position).language;
    EXPECT_GE(count, language == 1 ? 3 : 1);
    EXPECT_LE(count, language == 1 ? 3 : 2);
  }
  EXPECT_EQ(uses.size(), dataset.captions().size());
}

TEST_F(SamplerTest, CaptionBatchesHoldOneLanguageAndUseAllBeforeAnyTwice) {
  SamplerOptions options;
  options.images_per_batch = 13;  // more than zh has, and no divisor of what en and ja have
  options.drop_last = false;
  const auto sampler = sample_captions(dataset, all, options);
  EXPECT_EQ(sampler->batches_per_epoch(), (20 * 5 + 15 + 6 * 2 + 12) / 13);
  std::map<int, std::map<int, int>> uses;  // by language and caption, over all epochs
  for (int epoch = 0; epoch < 20; ++epoch) {
    const auto plans = sampler->epoch(epoch);
    ASSERT_EQ(plans.size(), static_cast<std::size_t>(sampler->batches_per_epoch()));
    expect_consistent(plans);
    for (const BatchPlan& plan : plans) {
      ASSERT_EQ(plan.languages.size(), 1U);
      const LanguageBatch& batch = plan.languages[0];
      EXPECT_EQ(batch.captions.size(), batch.language == 2 ? 12U : 13U);
      EXPECT_EQ(std::set<int>(batch.captions.begin(), batch.captions.end()).size(),
                batch.captions.size());
      const std::size_t total[] = {100, 15, 12};
      auto& used = uses[batch.language];
      for (const int position : batch.captions) ++used[position];
      int least = used.size() < total[batch.language] ? 0 : 1000, most = 0;
      for (const auto& [position, count] : used) {
        least = std::min(least, count);
        most = std::max(most, count);
      }
      EXPECT_LE(most - least, 1) << "epoch " << epoch;
    }
  }
  EXPECT_EQ(uses.size(), 3U);
}

// Kádár et al. 2018: pairs are shuffled again when they are used up, not sooner.
TEST_F(SamplerTest, CaptionPairsAreUsedUpBeforeAnyComesTwice) {
  SamplerOptions options;
  options.images_per_batch = 2;
  options.caption_pairs = 1;
  const auto sampler = sample_captions(dataset, all, options);
  std::vector<std::pair<int, int>> drawn;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (const BatchPlan& plan : sampler->epoch(epoch)) {
      for (const auto& [first, second] : plan.pairs) drawn.push_back({first, second});
    }
  }
  // An epoch is 63 batches; there are 147 pairs.
  ASSERT_EQ(drawn.size(), 2U * 63 * 2);
  const std::set<std::pair<int, int>> pass(drawn.begin(), drawn.begin() + 140);
  EXPECT_EQ(pass.size(), 140U);
}

TEST_F(SamplerTest, OptionsThatCannotWorkAreRefused) {
  const auto expect_refused = [&](auto change, const std::string& message) {
    SamplerOptions options;
    change(options);
    EXPECT_THAT([&] { sample_images(dataset, all, options); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  expect_refused([](auto& o) { o.images_per_batch = 0; }, "0 images per batch");
  expect_refused([](auto& o) { o.captions_per_image = -1; }, "-1 captions per image");
  expect_refused([](auto& o) { o.captions_by_language = {{"en", 0}}; }, "per image in 'en'");
  expect_refused(
      [](auto& o) {
        o.captions_by_language = {{"de", 1}};
      },
      "'de', which is not a language of this training");
  expect_refused([](auto& o) { o.groups = {{"en", "de"}}; }, "language 'de'");
  expect_refused([](auto& o) { o.groups = {{"en", "en"}}; }, "twice");
  expect_refused([](auto& o) { o.groups = {{}}; }, "without languages");
  expect_refused(
      [](auto& o) {
        o.images_per_batch = 1;
        o.groups = {{"en"}, {"ja"}};
      },
      "batches of 1 images for 2 language groups");
  EXPECT_THROW(sample_images(dataset, {kImages}, {}), InputError);
  EXPECT_THROW(sample_captions(dataset, {kImages}, {}), InputError);
  SamplerOptions japanese;
  japanese.groups = {{"en", "ja"}};
  EXPECT_THAT(
      [&] {
        sample_images(dataset, {18, 19}, japanese);
      },
      ThrowsMessage<InputError>(HasSubstr("no image with captions in the whole group")));
  EXPECT_THROW(sample_captions(dataset, all, japanese), InputError);
  japanese.groups = {{"en"}, {"en", "ja"}};
  EXPECT_THAT(
      [&] {
        sample_images(dataset, {0, 1}, japanese);
      },
      ThrowsMessage<InputError>(HasSubstr("every image of the group en is of a group with more")));
}

TEST_F(SamplerTest, CaptionPairsAreOfOneImageInTwoLanguagesAndOfDifferentImages) {
  SamplerOptions options;
  options.images_per_batch = 8;
  options.caption_pairs = 1;
  const auto sampler = sample_captions(dataset, all, options);
  std::map<std::pair<int, int>, int> seen;
  for (const BatchPlan& plan : sampler->epoch(0)) {
    EXPECT_TRUE(plan.images.empty() && plan.languages.empty());
    EXPECT_EQ(plan.pairs.size(), 8U);
    std::set<int> images;
    for (const auto& [first, second] : plan.pairs) {
      EXPECT_EQ(caption(first).image, caption(second).image);
      EXPECT_LT(caption(first).language, caption(second).language);
      EXPECT_TRUE(images.insert(caption(first).image).second);
      ++seen[{first, second}];
    }
  }
  // 15 images with 5 x 1 pairs of en and ja, 6 with 5 x 2 of en and zh and 1 x 2 of ja and zh: 147;
  // 15 batches of 8 show none twice.
  EXPECT_EQ(seen.size(), 120U);
}

TEST_F(SamplerTest, CaptionPairsComeAsOftenAsAskedForAndNeedTwoLanguages) {
  SamplerOptions options;
  options.images_per_batch = 2;
  options.caption_pairs = 0.5;
  int pairs = 0;
  const auto plans = sample_captions(dataset, all, options)->epoch(3);
  for (const BatchPlan& plan : plans) pairs += plan.pairs.empty() ? 0 : 1;
  EXPECT_NEAR(pairs, static_cast<double>(plans.size()) / 2, 10.0);
  EXPECT_EQ(plans, sample_captions(dataset, all, options)->epoch(3));
  const std::vector<int> english = {15, 16, 17, 18, 19};
  EXPECT_THAT([&] { sample_captions(dataset, english, options); },
              ThrowsMessage<InputError>(HasSubstr("two languages")));
}

}  // namespace
}  // namespace hinny

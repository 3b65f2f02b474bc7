#include "encoder/split_recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/npy.h"
#include "base/random.h"
#include "base/read_file.h"
#include "data/picture_set_fixture.h"
#include "encoder/image_encoder.h"
#include "encoder/model_fixture.h"
#include "encoder/text_encoder.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr int kShown = 12;  // pictures
const std::vector<std::string> kSaid = {"a dog runs", "the beach", "a dog on the beach", "am"};

class SplitRecall : public testing::Test {
 protected:
  SplitRecall() {
    fixture_.write(folder_ / "run");
    write_picture_set(folder_ / "data", kShown);
    Random random(6);
    rows_.resize(kShown * 7);
    for (float& x : rows_) x = static_cast<float>(random.uniform(-1, 3));
    write_npy(folder_ / "data/features/f.npy", rows_, {kShown, 7});
    std::string captions;
    for (int i = 0; i < kShown; ++i) {
      captions +=
          fmt::format(R"({{"image":"p{}","lang":"en","text":"{}","source":"human-original"}})"
                      "\n",
                      i, said_of(i));
    }
    write_file(folder_ / "data/captions.jsonl", captions);
  }
  static const std::string& said_of(int picture) {
    return kSaid[static_cast<std::size_t>(picture) % kSaid.size()];
  }
  RecallTable measured(bool hubs) const {
    const Dataset dataset = Dataset::load(folder_ / "data");
    return measure_split(Model::open(folder_ / "run"), dataset, Features::open(dataset, "f"),
                         "test", 1, hubs);
  }

  const Scratch folder_;
  ModelFixture fixture_;
  std::vector<float> rows_;
};

TEST_F(SplitRecall, IsThatOfTheVectorsThatSearchingCompares) {
  const Model model = Model::open(folder_ / "run");
  const std::vector<float> pictures = ImageEncoder(model).encode(rows_, "image");
  TextEncoder encoder(model);
  std::vector<float> sentences;
  std::vector<int> owners;
  for (int i = 0; i < kShown; ++i) {
    std::ranges::copy(encoder.encode(said_of(i), "en").vector, std::back_inserter(sentences));
    owners.push_back(i);
  }
  const LanguageRecall wanted =
      measure_recall({pictures, kShown, 6}, {sentences, kShown, 6}, owners);
  const RecallTable table = measured(true);  // this model remembers no hubs
  EXPECT_EQ(table.images, std::size_t{kShown});
  ASSERT_EQ(table.languages.size(), 1U);
  EXPECT_EQ(table.languages[0].language, "en");
  EXPECT_EQ(table.languages[0].captions, std::size_t{kShown});
  EXPECT_EQ(table.languages[0].image_to_text.r1, wanted.image_to_text.r1);
  EXPECT_EQ(table.languages[0].text_to_image.r5, wanted.text_to_image.r5);
  EXPECT_EQ(table.languages[0].mean(), wanted.mean());
}

// A picture that stands before all others in every answer, and is remembered as a hub, falls back.
TEST_F(SplitRecall, HubsStandFurtherBehindUnlessTheyAreNotWanted) {
  const Model model = Model::open(folder_ / "run");
  const std::vector<float> pictures = ImageEncoder(model).encode(rows_, "image");
  HubBank bank{6, 1, 1, {}};
  bank.spaces["image"].captions.assign(pictures.begin(), pictures.begin() + 6);  // all near p0
  bank.spaces["image"].images.assign(pictures.begin(), pictures.begin() + 6);
  write_hubs(folder_ / "run" / kHubsFile, bank);
  const RecallTable with = measured(true), without = measured(false);
  EXPECT_NE(with.languages[0].mean(), without.languages[0].mean());

  // The same of vectors beside which stands what is taken off.
  TextEncoder encoder(model);
  std::vector<float> sentences, wide_pictures, wide_sentences;
  std::vector<int> owners;
  for (int i = 0; i < kShown; ++i) {
    std::ranges::copy(encoder.encode(said_of(i), "en").vector, std::back_inserter(sentences));
    owners.push_back(i);
  }
  const HubBank remembered = *hubs_of(model);
  const HubBank::Space& space = remembered.spaces.at("image");
  const auto off_pictures = hub_penalties(remembered, space.captions, {pictures, kShown, 6});
  const auto off_sentences = hub_penalties(remembered, space.images, {sentences, kShown, 6});
  for (std::size_t i = 0; i < kShown; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(6 * i);
    wide_pictures.insert(wide_pictures.end(), pictures.begin() + at, pictures.begin() + at + 6);
    wide_pictures.insert(wide_pictures.end(), {off_pictures[i], 1});
    wide_sentences.insert(wide_sentences.end(), sentences.begin() + at, sentences.begin() + at + 6);
    wide_sentences.insert(wide_sentences.end(), {1, off_sentences[i]});
  }
  const LanguageRecall wanted =
      measure_recall({wide_pictures, kShown, 8}, {wide_sentences, kShown, 8}, owners);
  EXPECT_NEAR(with.languages[0].mean(), wanted.mean(), 1e-9);
}

TEST_F(SplitRecall, LanguagesThatTheModelLacksAreLeftOutAndOneIsNeeded) {
  std::string captions = read_file(folder_ / "data/captions.jsonl");
  for (std::size_t at = 0; (at = captions.find("\"en\"", at)) != std::string::npos;) {
    captions.replace(at, 4, "\"fr\"");
  }
  write_file(folder_ / "data/captions.jsonl", captions);
  EXPECT_THAT([&] { measured(true); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("captions in fr")));
}

}  // namespace
}  // namespace hinny

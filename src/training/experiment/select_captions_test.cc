#include "training/experiment/select_captions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// 24 training images with two captions each in en and de; 8 of val, 8 of test.
class SelectTest : public testing::Test {
 protected:
  // Captions by (image, language) of a split.
  std::map<std::pair<int, int>, std::size_t> counts(const DataSettings& settings,
                                                    const std::string& split = "train",
                                                    std::uint64_t seed = 1) const {
    const Dataset selected = select_captions(dataset_, settings, seed);
    std::map<std::pair<int, int>, std::size_t> result;
    for (const int image : selected.split(split)) {
      for (int language = 0; language < 2; ++language) {
        const std::size_t count = selected.captions_of(image, language).size();
        if (count > 0) result[{image, language}] = count;
      }
    }
    return result;
  }

  TinyDataset data_;
  Dataset dataset_ = Dataset::load(data_.folder());
};

TEST_F(SelectTest, NothingSaidKeepsEverything) {
  EXPECT_EQ(select_captions(dataset_, {}, 1).captions().size(), dataset_.captions().size());
}

TEST_F(SelectTest, AShareOfTheImagesIsPartOfEveryLargerShare) {
  DataSettings half, most;
  half.images = 0.5;
  most.images = 0.75;
  EXPECT_EQ(counts(half).size(), 24U);  // 12 images, two languages
  const auto larger = counts(most);
  EXPECT_EQ(larger.size(), 36U);
  for (const auto& [place, count] : counts(half)) EXPECT_TRUE(larger.contains(place));
  EXPECT_NE(counts(half), counts(half, "train", 2));
  EXPECT_EQ(counts(half, "val").size(), 16U);  // other splits stay whole
}

TEST_F(SelectTest, CaptionsOfOneLineOfParallelText) {
  write_file(data_.folder() / "lines.en", "Red ball there.\nblue ball\n");
  write_file(data_.folder() / "lines.de", "Rot Ball there\nBlau Auto\n");
  DataSettings settings;
  settings.parallel = (data_.folder() / "lines").string();
  // Image 0 is a red ball, and so is 20; the blue ball's German is another's.
  const auto found = counts(settings);
  EXPECT_EQ(found.size(), 4U);
  for (const int image : {0, 20}) {
    for (const int language : {0, 1}) EXPECT_EQ(found.at({image, language}), 1U);
  }
  EXPECT_EQ(counts(settings, "val").size(), 16U);  // other splits stay whole
}

TEST_F(SelectTest, OneCaptionPerImageAndLanguage) {
  DataSettings settings;
  settings.captions = 1;
  const auto found = counts(settings);
  EXPECT_EQ(found.size(), 48U);
  for (const auto& [place, count] : found) EXPECT_EQ(count, 1U);
  EXPECT_EQ(counts(settings, "test").begin()->second, 2U);
}

TEST_F(SelectTest, WithoutOverlapEveryImageSpeaksOneLanguageAndLanguagesShareEvenly) {
  DataSettings settings;
  settings.overlap = Overlap::none;
  std::map<int, int> images, by_language;
  for (const auto& [place, count] : counts(settings)) {
    ++images[place.first];
    ++by_language[place.second];
    EXPECT_EQ(count, 2U);
  }
  EXPECT_EQ(images.size(), 24U);
  EXPECT_EQ(by_language[0], 12);
  EXPECT_EQ(by_language[1], 12);
}

TEST_F(SelectTest, SourcesThatLeaveALanguageWithoutCaptionsAreRefused) {
  DataSettings settings;
  settings.sources = {"human-original"};
  EXPECT_EQ(counts(settings).size(), 48U);
  settings.sources = {"mmt"};
  EXPECT_THAT([&] { counts(settings); },
              ThrowsMessage<InputError>(HasSubstr("'de' no training caption")));
}

TEST_F(SelectTest, ALanguageMayHaveSourcesOfItsOwn) {
  DataSettings settings;
  settings.sources = {"mmt"};
  settings.sources_by_language = {{"de", {"human-original"}}, {"en", {}}};
  EXPECT_EQ(counts(settings).size(), 48U);
  settings.sources_by_language = {{"de", {"human-original"}}};
  EXPECT_THAT([&] { counts(settings); },
              ThrowsMessage<InputError>(HasSubstr("'en' no training caption")));
  settings.sources_by_language = {{"fr", {"human-original"}}};
  EXPECT_THROW(counts(settings), InputError);
}

}  // namespace
}  // namespace hinny

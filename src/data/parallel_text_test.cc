#include "data/parallel_text.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// Two images; what of the first is translated stands on line 1, what of the second on none.
class ParallelTextTest : public testing::Test {
 protected:
  ParallelTextTest() {
    DatasetWriter writer(folder_ / "data");
    writer.image({"a", "train", ""});
    writer.image({"b", "train", ""});
    writer.caption("a", "de", "Ein Hund springt.", Source::human_translation);
    writer.caption("a", "en", "Two dogs .", Source::human_original);
    writer.caption("a", "en", "A dog jumps !", Source::human_original);
    writer.caption("a", "zh", "\u72d7", Source::human_original);
    writer.caption("b", "de", "Ein Haus", Source::human_translation);
    writer.caption("b", "en", "A dog jumps.", Source::human_original);
    writer.commit();
    write_file(folder_ / "train.en", "A house.\na dog-jumps.\n");
    write_file(folder_ / "train.de", "Haus\nein hund springt\n");
  }
  std::string prefix() const { return (folder_ / "train").string(); }

  const Scratch folder_;
};

TEST_F(ParallelTextTest, FindsCaptionsByTheirWords) {
  const Dataset data = Dataset::load(folder_ / "data");
  ASSERT_THAT(data.languages(), ElementsAre("de", "en", "zh"));
  const ParallelText text = ParallelText::read(prefix(), data.languages());
  EXPECT_TRUE(text.has(0));
  EXPECT_FALSE(text.has(2));
  EXPECT_THAT(text.places(data), ElementsAre(ElementsAre(1), IsEmpty(), ElementsAre(1), IsEmpty(),
                                             IsEmpty(), ElementsAre(1)));
}

TEST_F(ParallelTextTest, KeepsTheCaptionsOfOneLine) {
  const Dataset data = Dataset::load(folder_ / "data");
  const ParallelText text = ParallelText::read(prefix(), data.languages());
  std::vector<bool> keep(6, true);
  const std::vector<int> images = {0, 1};
  EXPECT_EQ(filter_parallel_captions(data, text, images, keep), 1U);
  // Chinese has no file and keeps its caption; the second image has one language alone.
  EXPECT_THAT(keep, ElementsAre(true, false, true, true, false, false));
  keep.assign(6, true);
  keep[0] = false;  // dropped before: nothing is left to be a translation of
  EXPECT_EQ(filter_parallel_captions(data, text, images, keep), 0U);
  EXPECT_THAT(keep, ElementsAre(false, false, false, true, false, false));
}

TEST_F(ParallelTextTest, BadFilesAreNamed) {
  const auto message = [&](const std::string& name, const std::string& what) {
    EXPECT_THAT(
        [&] {
          ParallelText::read(name, {"de", "en", "zh"});
        },
        ThrowsMessage<InputError>(HasSubstr(what)));
  };
  message("nowhere/train", "0 of the languages de, en, zh have parallel text");
  write_file(folder_ / "train.en", "A house.\n");
  message(prefix(), "train.en: 1 lines (expected 2, as");
}

}  // namespace
}  // namespace hinny

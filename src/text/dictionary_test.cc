#include "text/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Dictionary, WordsAreLookedUpAsCaptionsHaveThem) {
  const Scratch folder;
  write_file(folder / "de-en.tsv", "Hund\tDog\nHund\thound\n\nzum Beispiel\texample\n");
  EXPECT_TRUE(Dictionary::there(folder / "", "de", "en"));
  EXPECT_FALSE(Dictionary::there(folder / "", "fr", "en"));
  const Dictionary dictionary = Dictionary::read(folder / "", "de", "en");
  EXPECT_EQ(dictionary.size(), 1U);  // two words on a side are no entry
  EXPECT_THAT(dictionary.find("hund"), ElementsAre("dog", "hound"));
  EXPECT_TRUE(dictionary.find("katze").empty());
}

TEST(Dictionary, BadFilesAreNamed) {
  const Scratch folder;
  write_file(folder / "de-en.tsv", "Hund\tdog\nKatze\n");
  EXPECT_THAT([&] { Dictionary::read(folder / "", "de", "en"); },
              ThrowsMessage<InputError>(HasSubstr("de-en.tsv:2: no tab")));
  write_file(folder / "fr-en.tsv", "par exemple\tfor example\n");
  EXPECT_THAT([&] { Dictionary::read(folder / "", "fr", "en"); },
              ThrowsMessage<InputError>(HasSubstr("no pair of words")));
}

}  // namespace
}  // namespace hinny

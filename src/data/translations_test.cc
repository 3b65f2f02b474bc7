#include "data/translations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Translations, AreFoundByTheirTextWhateverItsWhiteSpace) {
  const Scratch folder;
  write_file(folder / "de-en.tsv",
             "Ein  Hund\ta dog\r\n\nEin Hund\tanother\nEine Katze \t a  cat\n");
  const Translations translations = Translations::read(folder / "", "de", "en");
  EXPECT_EQ(*translations.find("Ein Hund"), "a dog");
  EXPECT_EQ(*translations.find("Eine\tKatze\n"), "a cat");
  EXPECT_EQ(translations.find("Hund"), nullptr);
  write_file(folder / "fr-en.tsv", "");
  EXPECT_THAT(translated_languages(folder / "", "en"), ElementsAre("de", "fr"));
}

TEST(Translations, BadFilesAreNamedWithTheirLine) {
  const Scratch folder;
  const auto message = [&](const std::string& from, const std::string& what) {
    EXPECT_THAT([&] { Translations::read(folder / "", from, "en"); },
                ThrowsMessage<InputError>(HasSubstr(what)));
  };
  message("de", "files such as de-en.tsv");
  write_file(folder / "de-en.tsv", "Hund\tdog\nKatze\n");
  message("de", "de-en.tsv:2: no translation");
  message("fr", "one of de-en");
}

TEST(Translations, CaptionsOfOneSplitAreReplaced) {
  const TinyDataset tiny;
  const Scratch folder;
  const Dataset dataset = Dataset::load(tiny.folder());
  const int de = dataset.language("de");
  std::string lines;
  for (const int image : dataset.split("test")) {
    for (const int caption : dataset.captions_of(image, de)) {
      lines += dataset.captions()[static_cast<std::size_t>(caption)].text + "\ttranslated\n";
    }
  }
  write_file(folder / "de-en.tsv", lines);
  const Dataset translated = translate_captions(dataset, "test", folder / "", "en");
  for (std::size_t i = 0; i < dataset.captions().size(); ++i) {
    const Caption& caption = dataset.captions()[i];
    const bool test = dataset.images()[static_cast<std::size_t>(caption.image)].split == "test";
    EXPECT_EQ(translated.captions()[i].text,
              test && caption.language == de ? "translated" : caption.text);
  }
  EXPECT_THAT([&] { translate_captions(dataset, "train", folder / "", "en"); },
              ThrowsMessage<InputError>(HasSubstr("no translation of '")));
}

}  // namespace
}  // namespace hinny

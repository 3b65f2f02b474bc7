#include "data/importers/parallel.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string unit(const std::string& english, const std::string& german) {
  return "<tu><tuv xml:lang=\"de-DE\"><seg>" + german +
         "</seg></tuv><tuv xml:lang=\"en-US\"><seg>" + english + "</seg></tuv></tu>\n";
}

struct ParallelTest : ImportTest {
  Dataset read(const std::vector<ParallelSource>& sources, const ParallelOptions& options) {
    return import([&](ImportWriter& writer) { import_parallel(sources, options, writer); });
  }
  std::string error(const std::vector<ParallelSource>& sources, const ParallelOptions& options) {
    return error_of([&](ImportWriter& writer) { import_parallel(sources, options, writer); });
  }
  const ParallelOptions both{{"en", "de"}, {}};
};

TEST_F(ParallelTest, AlignedFilesInAnyNumberOfLanguages) {
  put("train.en", "a dog\n\n a cat \n");
  put("train.de.gz", "ein Hund\nein Ball\neine Katze\n");
  put("train.fr", "un chien\n\n\n");
  put("dev.en", "a house");
  put("dev.de", "ein Haus");
  put("dev.fr", "une maison");
  const Dataset dataset =
      read({{source / "train", ""}, {source / "dev", ""}}, {{"en", "de", "fr"}, {}});
  EXPECT_THAT(images_of(dataset), ElementsAre("train-1 train ", "train-3 train ", "dev-1 val "));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("train-1 en human-translation: a dog", "train-1 de human-translation: ein Hund",
                  "train-1 fr human-translation: un chien", "train-3 en human-translation: a cat",
                  "train-3 de human-translation: eine Katze", "dev-1 en human-translation: a house",
                  "dev-1 de human-translation: ein Haus",
                  "dev-1 fr human-translation: une maison"));
  EXPECT_THAT(summary.skipped.at("a sentence in fewer than two languages").places,
              ElementsAre(HasSubstr("train.en:2")));
}

TEST_F(ParallelTest, ATableOfTabs) {
  const auto table =
      put("pairs.tsv", "score\tEN\tdeu\n0.9\ta \"dog\"\tein Hund\tmore\n\n1\tb\tc\n");
  const Dataset dataset = read({{table, "val"}}, {{"_", "en", "de"}, {}});
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("pairs-1 en human-translation: a \"dog\"",
                          "pairs-1 de human-translation: ein Hund",
                          "pairs-2 en human-translation: b", "pairs-2 de human-translation: c"));
  EXPECT_THAT(dataset.split("val"), SizeIs(2));
}

TEST_F(ParallelTest, TmxByTheLanguagesAskedFor) {
  const auto file =
      put("memory.tmx", "<tmx><body>\n" + unit("a dog", "ein Hund") + unit("a cat", "") +
                            "<tu><tuv lang=\"en\"><seg>x</seg></tuv><tuv lang=\"fr\">"
                            "<seg>y</seg></tuv></tu></body></tmx>");
  const Dataset chosen = read({{file, "train"}}, both);
  EXPECT_THAT(captions_of(chosen), ElementsAre("memory-1 en human-translation: a dog",
                                               "memory-1 de human-translation: ein Hund"));
  EXPECT_EQ(summary.skipped.at("a sentence in fewer than two languages").count, 2);
  const Dataset all = read({{file, "train"}}, {});
  EXPECT_THAT(all.languages(), ElementsAre("de-DE", "en", "en-US", "fr"));
  EXPECT_THAT(error({{file, "train"}}, {{"en", "cs"}, {}}),
              HasSubstr("memory.tmx: texts in de-DE, en, en-US, fr (expected two of en, cs)"));
}

TEST_F(ParallelTest, ASentenceGivenTwiceIsInOneSplit) {
  std::string lines;
  for (int i = 0; i < 300; ++i)
    lines += std::to_string(i % 100) + "\tzwei " + std::to_string(i) + "\n";
  const Dataset dataset =
      read({{put("train.tsv", lines), ""}}, {{"en", "de"}, std::array{2, 1, 1}});
  std::map<std::string, std::set<std::string>> splits;  // by sentence
  for (const Caption& caption : dataset.captions()) {
    const Image& image = dataset.images()[static_cast<std::size_t>(caption.image)];
    if (dataset.languages()[static_cast<std::size_t>(caption.language)] == "en") {
      splits[caption.text].insert(image.split);
    }
  }
  EXPECT_THAT(splits, SizeIs(100));
  EXPECT_THAT(splits,
              testing::Each(testing::Field(&decltype(splits)::value_type::second, SizeIs(1))));
  EXPECT_NEAR(static_cast<double>(dataset.split("train").size()), 150, 40);
}

TEST_F(ParallelTest, WhatIsWrongIsNamedByFileAndLine) {
  put("train.en", "a\nb\nc\n");
  put("train.de", "a\nb\n");
  const ParallelSource train{source / "train", ""};
  EXPECT_THAT(error({train}, both),
              HasSubstr("train.de:3: the file ends before this line (expected "
                        "as many lines as "));
  put("train.de", "a\nb\nc\nd\n");
  EXPECT_THAT(error({train}, both), HasSubstr("train.en:4: the file ends before this line"));
  put("train.de", "a\n\xC3(\nc\n");
  EXPECT_THAT(error({train}, both), HasSubstr("train.de:2: broken UTF-8"));
  EXPECT_THAT(error({train}, {{"en", "fr"}, {}}), HasSubstr("train.fr: no such file"));
  EXPECT_THAT(error({train}, {{"en"}, {}}),
              HasSubstr("train: without two languages for its files or columns"));
  EXPECT_THAT(error({train}, {{"en", "quite so"}, {}}), HasSubstr("--languages: 'quite so'"));
  EXPECT_THAT(error({{source / "train.en", ""}}, both),
              HasSubstr("train.en:1: 1 column (expected 2"));
  EXPECT_THAT(error({{source / "none.tmx", "val"}}, both), HasSubstr("none.tmx: no such file"));
  EXPECT_THAT(error({{source, "val"}}, both), HasSubstr("a folder"));
  const auto pairs = put("pairs.tsv", "a\tb\nc\n");
  EXPECT_THAT(error({{pairs, ""}}, both), HasSubstr("its name tells no split"));
  EXPECT_THAT(error({{pairs, "val"}}, both), HasSubstr("pairs.tsv:2: 1 column (expected 2"));
  EXPECT_THAT(
      error({{put("pairs.tsv", "a\tb\n"), "val"}, {put("pairs.txt", "a\tb\n"), "val"}}, both),
      HasSubstr("a second source called 'pairs'"));
}

}  // namespace
}  // namespace hinny

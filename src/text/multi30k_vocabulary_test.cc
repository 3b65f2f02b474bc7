// How close normalisation, tokenisation and threshold come to published vocabulary sizes of
// Multi30K: docs/text.md. Needs the captions: HINNY_DATA/multi30k in its original layout.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "base/lines.h"
#include "tests/real_data.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kMinCount = 4;
constexpr double kPublishedLines = 29000.0;  // in each file
// Measured on 60% to 100% of the lines: the number of words seen four times grows as lines^0.63.
constexpr double kGrowth = 0.63;

struct Sizes {
  double sum = 0.0;           // of the languages' vocabularies
  double words_in_all = 0.0;  // of their union
  double lines = 0.0;         // in each file
};

// `files` says where a language's captions are, for each language.
Sizes measure(const std::map<std::string, std::vector<std::filesystem::path>>& files) {
  Sizes sizes;
  std::set<std::string> all;
  for (const auto& [language, paths] : files) {
    Tokenizer tokenizer(language);
    WordCounts counts;
    for (const auto& path : paths) {
      std::size_t lines = 0;
      for_each_line(path, [&](std::string_view text, std::size_t line) {
        for (std::string& word : tokenizer.words(text)) ++counts[std::move(word)];
        lines = line;
      });
      sizes.lines = static_cast<double>(lines);
    }
    const Vocabulary vocabulary = Vocabulary::build(counts, kMinCount);
    for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id)
      all.insert(vocabulary.word(id));
    sizes.sum += vocabulary.size() - kFirstWord;
  }
  sizes.words_in_all = static_cast<double>(all.size());
  return sizes;
}

void compare(const char* portion, const Sizes& sizes, double sum, double words_in_all) {
  const double scale = std::pow(kPublishedLines / sizes.lines, kGrowth);
  std::printf(
      "%s, %.0f lines: sum %.0f, union %.0f; for %.0f lines about %.0f and %.0f; "
      "published %.0f and %.0f\n",
      portion, sizes.lines, sizes.sum, sizes.words_in_all, kPublishedLines, sizes.sum * scale,
      sizes.words_in_all * scale, sum, words_in_all);
  EXPECT_NEAR(sizes.sum * scale, sum, 0.03 * sum);
  EXPECT_NEAR(sizes.words_in_all * scale, words_in_all, 0.03 * words_in_all);
}

class Multi30k : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path data = real_data();
    if (data.empty()) GTEST_SKIP() << "HINNY_DATA is not set: it names the folder of captions";
    folder_ = data / "multi30k";
    if (!std::filesystem::is_directory(folder_)) GTEST_SKIP() << "no " << folder_;
  }
  std::filesystem::path folder_;
};

TEST_F(Multi30k, TranslationsHaveThePublishedVocabulary) {
  std::map<std::string, std::vector<std::filesystem::path>> files;
  for (const std::string language : {"en", "de", "fr", "cs"}) {
    files[language] = {folder_ / "task1" / "raw" / ("train." + language + ".gz")};
  }
  compare("translations", measure(files), 17571, 16553);
}

TEST_F(Multi30k, IndependentCaptionsHaveThePublishedVocabulary) {
  std::map<std::string, std::vector<std::filesystem::path>> files;
  for (const std::string language : {"en", "de"}) {
    for (const std::string part : {"1", "2", "3", "4", "5"}) {
      std::string name = "train.";
      name.append(part).append(".").append(language).append(".gz");
      files[language].push_back(folder_ / "task2" / "raw" / name);
    }
  }
  compare("independent", measure(files), 18337, 17667);
}

}  // namespace
}  // namespace hinny

#include "index/folder/optional_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/read_file.h"
#include "index/asking/ask.h"
#include "index/asking/collection.h"
#include "index/asking/results_fixture.h"
#include "index/folder/index_fixture.h"
#include "index/folder/optional_parts_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

class OptionalParts : public IndexFixture {
 protected:
  fs::path index() const { return folder / "index"; }
  // Everything that an index is opened for.
  void ask(const std::string& missing) const {
    const Collection collection(index());
    collection.check();
    EXPECT_EQ(collection.facts().images, 5U);
    Question question;
    question.language = "en";
    question.near_copies = true;
    EXPECT_FALSE(collection.ask(std::vector<std::string>{"a dog"}, question).front().found.empty());
    EXPECT_EQ(collection.stored_sentences("p1", 2).empty(), missing == "stored sentences");
    collection.embed(std::vector<std::string>{"a dog"}, "en");
    collection.file_of("p0");
  }
};

TEST_F(OptionalParts, AnIndexAnswersWithoutEach) {
  remember();
  build();
  const std::size_t parts =
      without_each_part(index(), [&](const std::string& missing, bool stated) {
        SCOPED_TRACE("without " + missing);
        if (!stated) return ask(missing);
        EXPECT_THROW(ask(missing), InputError);
      });
  EXPECT_GE(parts, 1U);
}

class OptionalPartsOfTwoModels : public ResultsTest {};

TEST_F(OptionalPartsOfTwoModels, TheReRankingOneMayBeMissing) {
  make(5, false, true);
  std::size_t seen = 0;
  without_each_part(folder / "index", [&](const std::string& missing, bool stated) {
    SCOPED_TRACE("without " + missing);
    if (stated) {
      EXPECT_THROW(open(), InputError);
      return;
    }
    open();
    EXPECT_EQ(index->reranker() == nullptr, missing == "a re-ranking model");
    seen += index->reranker() == nullptr ? 1 : 0;
  });
  EXPECT_EQ(seen, 1U);
}

// The page of the format says what each index has, and what some have: the list is of the latter.
TEST_F(OptionalParts, AreThoseOfTheFormat) {
  const std::string page = read_file(fs::path(HINNY_SOURCE) / "docs/formats/index.md");
  const std::string listed = page.substr(0, page.find("`hinny index` and"));
  const auto named = [&](const std::string& file) {
    return listed.find("\n    " + file) != std::string::npos;
  };
  std::size_t files = 0;
  for (const OptionalPart& part : optional_parts()) {
    for (const char* file : part.files) {
      EXPECT_TRUE(named(file)) << file;
      ++files;
    }
  }
  const std::vector<std::string> always = {"index.json", "vectors.npy", "scan.safetensors",
                                           "encoder/"};
  for (const std::string& file : always) EXPECT_TRUE(named(file)) << file;
  const auto lines = std::ranges::count(listed, '\n');
  // Each has a line of its own; three more are the title's and the ends of the list.
  EXPECT_EQ(static_cast<std::size_t>(lines), files + always.size() + 3) << listed;
}

// What a new index holds is either always there or in the list.
TEST_F(OptionalParts, AreAllThatAnIndexMayHold) {
  build();
  for (const auto& item : fs::directory_iterator(index())) {
    const fs::path name = item.path().filename();
    const bool always = name == "index.json" || name == "vectors.npy" ||
                        name == "scan.safetensors" || name == "encoder";
    const bool optional = std::ranges::any_of(optional_parts(), [&](const OptionalPart& part) {
      return std::ranges::find(part.files, name) != part.files.end();
    });
    EXPECT_NE(always, optional) << name;
  }
}

}  // namespace
}  // namespace hinny

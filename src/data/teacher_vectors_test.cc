#include "data/teacher_vectors.h"

#include <gmock/gmock.h>

#include <limits>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Three parallel sentences to learn from, one of them without English, one to be judged by and one
// for nothing.
class TeacherVectors : public testing::Test {
 protected:
  TeacherVectors() {
    write_lines("A dog.");
    write_file(scratch_ / "clip.txt", "A boat.\n A dog. \r\nA cat.\n");
    write_npy(npy(), std::vector<float>{1, 0, 0, 2, 3, 4}, {3, 2});
  }
  void write_lines(const std::string& first) const {
    DatasetWriter writer(lines());
    const auto line = [&](const char* id, const char* split, const std::string& en,
                          const char* de) {
      writer.image({id, split, ""});
      if (!en.empty()) writer.caption(id, "en", en, Source::human_original);
      writer.caption(id, "de", de, Source::human_translation);
    };
    line("a", "train", first, "Ein Hund.");
    line("b", "train", "", "Ein Haus.");
    line("c", "train", "A cat.", "Eine Katze.");
    line("d", "val", "A boat.", "Ein Boot.");
    line("e", "test", "A house that the teacher never saw.", "Ein Haus.");
    writer.commit();
  }
  std::filesystem::path lines() const { return scratch_ / "lines"; }
  std::filesystem::path npy() const { return scratch_ / "clip.npy"; }
  Features open(const std::string& language = "en") const {
    return open_teacher(Dataset::load(lines(), {{"de"}, {}, {}}), npy(), language, "clip");
  }
  void expect_refused(const std::vector<std::string>& message,
                      const std::string& language = "en") const {
    for (const std::string& part : message) {
      EXPECT_THAT([&] { open(language); }, ThrowsMessage<InputError>(HasSubstr(part)));
    }
  }

  const Scratch scratch_;
};

TEST_F(TeacherVectors, ALineHasTheVectorOfItsSentence) {
  const Features features = open();
  EXPECT_EQ(features.names(), "clip");
  EXPECT_EQ(features.dim(), 2);
  std::vector<float> rows(6);
  features.gather(std::vector<int>{2, 0, 3}, rows);
  EXPECT_THAT(rows, ElementsAre(3, 4, 0, 2, 1, 0));
  EXPECT_FALSE(features.has(1));
  EXPECT_FALSE(features.has(4));
}

TEST_F(TeacherVectors, FilesThatDoNotFitAreRefusedWithTheirPlace) {
  write_file(scratch_ / "clip.txt", "A boat.\nA dog.\n");
  expect_refused({"clip.txt", "2 sentences", "3, one for each row of clip.npy"});
  write_file(scratch_ / "clip.txt", "A boat.\nA dog.\nA cat.\nA cow.\n");
  expect_refused({"clip.txt", "4 sentences"});
  write_file(scratch_ / "clip.txt", "A boat.\n\nA cat.\n");
  expect_refused({"clip.txt:2: ", "empty line"});
  write_file(scratch_ / "clip.txt", "");
  expect_refused({"clip.txt", "0 sentences"});
  std::filesystem::remove(scratch_ / "clip.txt");
  expect_refused({"clip.txt"});
}

TEST_F(TeacherVectors, RowsWithoutADirectionAreRefused) {
  write_npy(npy(), std::vector<float>{1, 0, 0, 0, 3, 4}, {3, 2});
  expect_refused({"clip.npy", "zeros alone in row 1"});
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    write_npy(npy(), std::vector<float>{1, 0, 0, 2, 3, bad}, {3, 2});
    expect_refused({"clip.npy", "NaN or infinity in row 2"});
  }
  write_npy(npy(), std::vector<float>(6, 1), {3, 1, 2});
  expect_refused({"clip.npy", "shape (3, 1, 2)"});
  write_npy(npy(), {}, {0, 2});
  expect_refused({"clip.npy", "shape (0, 2)"});
  write_file(npy(), "no array");
  expect_refused({"clip.npy"});
}

TEST_F(TeacherVectors, LinesThatDoNotPairAreRefused) {
  write_lines("A dog!");
  expect_refused({"captions.jsonl:1: ", "'A dog!': the teacher has no vector of it", "clip.txt"});
  write_lines("A dog.");
  expect_refused({"'fr'"}, "fr");
  expect_refused({"'Ein Hund.': the teacher"}, "de");
  const std::string captions = read_file(lines() / "captions.jsonl");
  write_file(lines() / "captions.jsonl",
             captions + R"({"image":"c","lang":"en","text":"A cat.","source":"mmt"})"
                        "\n");
  EXPECT_TRUE(open().has(2));  // the same once more
  write_file(lines() / "captions.jsonl",
             captions + R"({"image":"c","lang":"en","text":"A cat sits.","source":"mmt"})"
                        "\n");
  expect_refused({"captions.jsonl:10: ", "another sentence in 'en' of line 'c'"});
}

TEST_F(TeacherVectors, EachLanguageHasLinesToLearnFromAndToBeJudgedBy) {
  DatasetWriter writer(lines());
  writer.image({"a", "train", ""});
  writer.caption("a", "en", "A dog.", Source::human_original);
  writer.caption("a", "de", "Ein Hund.", Source::human_original);
  writer.image({"b", "val", ""});
  writer.caption("b", "en", "A cat.", Source::human_original);
  writer.commit();
  expect_refused({"split 'val' has no parallel sentence in 'de' and 'en'"});
}

}  // namespace
}  // namespace hinny

#include "index/asking/collection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "index/folder/change_index.h"
#include "index/folder/index_fixture.h"
#include "index/folder/picture_reader_fixture.h"

namespace hinny {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

Question english(std::vector<Question::Part> parts = {}) {
  Question question;
  question.parts = std::move(parts);
  question.language = "en";
  return question;
}

class CollectionTest : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build();
  }
  std::filesystem::path index() const { return folder / "index"; }
  void remove(const std::vector<std::string>& ids) const { remove_from_index(index(), ids); }
};

std::vector<std::string> images_of(const Answer& answer) {
  std::vector<std::string> images;
  for (const Found& found : answer.found) images.push_back(found.image);
  return images;
}

TEST_F(CollectionTest, AnswersEachSentenceWithIdsAndFiles) {
  const Collection collection(index());
  const auto answers =
      collection.ask(std::vector<std::string>{"a dog", "the beach"}, english({like("p1", 0.5F)}));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].sentence, "the beach");
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.found.size(), 4U);
    EXPECT_THAT(images_of(answer), Each(testing::Ne("p1")));
    for (const Found& found : answer.found) {
      EXPECT_EQ(found.file, collection.file_of(found.image));
      EXPECT_EQ(found.file.empty(), found.image == "p3");
    }
  }
  EXPECT_EQ(collection.facts().images, 5U);
  EXPECT_THAT(collection.facts().languages, ElementsAre("de", "en"));
  EXPECT_FALSE(collection.facts().translates);
  collection.check();
}

TEST_F(CollectionTest, EmbedsSentencesAsItAsksWithThem) {
  const Collection collection(index());
  const auto embeddings = collection.embed(std::vector<std::string>{"a dog zebra", "am"}, "en");
  ASSERT_EQ(embeddings.items.size(), 2U);
  EXPECT_EQ(embeddings.model, collection.facts().model);
  EXPECT_EQ(embeddings.items[0].words, 3U);
  EXPECT_THAT(embeddings.items[0].understood.unknown_words, ElementsAre("zebra"));
  const Index opened = Index::open(index());
  TextEncoder encoder(opened.model());
  EXPECT_EQ(embeddings.items[0].vector, encoder.encode("a dog zebra", "en").vector);
}

TEST_F(CollectionTest, WhatIsAskedWronglyIsNoBrokenFile) {
  const Collection collection(index());
  const std::vector<std::string> sentences = {"a dog"};
  const auto wrong = [&](const Question& question, const char* complaint) {
    EXPECT_THAT([&] { collection.ask(sentences, question); },
                ThrowsMessage<RequestError>(HasSubstr(complaint)));
  };
  wrong(english({said("zebra")}), "knows no word of 'zebra'");
  wrong(english({said("a dog", 1, "fr")}), "no language 'fr'");
  wrong(english({Question::Part{PictureFile{"x.jpg"}, 1}}), "a picture to be read");
  Question explained = english();
  explained.explain = true;
  wrong(explained, "an explanation");
  EXPECT_THROW(collection.ask(sentences, english({like("nobody")})), UnknownImage);
  EXPECT_THROW(collection.file_of("nobody"), UnknownImage);
  EXPECT_THROW(collection.stored_sentences("nobody", 1), UnknownImage);
  EXPECT_THROW(collection.embed(std::vector<std::string>{"zebra"}, "en"), RequestError);
}

TEST_F(CollectionTest, ABrokenFileIsNotTheFaultOfWhoAsks) {
  write_file(index() / "sentences.jsonl", "broken");
  const Collection collection(index());
  try {
    collection.stored_sentences("p0", 1);
    ADD_FAILURE() << "broken sentences were read";
  } catch (const RequestError& error) {
    ADD_FAILURE() << error.what();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sentences.jsonl: damaged: 6 bytes"));
  }
}

TEST_F(CollectionTest, PicturesAreReadByWhatItIsGiven) {
  int read = 0;
  std::vector<std::string> opened_with;
  const std::vector<float> features(rows.begin() + 7, rows.begin() + 14);  // of p1
  const OpenPictureReader open = [&](const FeatureSpec& spec, const auto& encoders) {
    EXPECT_EQ(spec.dim(), 7U);
    opened_with = encoders;
    auto reader = std::make_unique<FakePictureReader>();
    reader->read = [&](const GivenPicture& picture) {
      ++read;
      EXPECT_EQ(std::get<PictureBytes>(picture).bytes, "p1");
      return features;
    };
    return reader;
  };
  const Collection without(index(), {.pictures = open});
  const Question question = english({Question::Part{PictureBytes{"p1"}, 1}});
  EXPECT_THAT([&] { without.ask({}, question); },
              ThrowsMessage<RequestError>(HasSubstr("does not know what makes")));
  auto contents = nlohmann::ordered_json::parse(read_file(index() / kContentsFile));
  contents["encoders"] = {"builtin-1"};
  write_file(index() / kContentsFile, contents.dump());
  write_checksums(index());
  EXPECT_EQ(read, 0);
  const Collection collection(index(), {.pictures = open});
  EXPECT_THAT(opened_with, ElementsAre("builtin-1"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(collection.ask({}, question).front().found.front().image, "p1");
  }
  EXPECT_EQ(read, 2);
  EXPECT_EQ(
      collection.best_sentences(question.parts.front(), std::vector<std::string>{"a dog"}, "en", 3)
          .size(),
      1U);
}

TEST_F(CollectionTest, ReloadsWhatHasChangedAndKeepsTheOldOneWhenThatIsBroken) {
  Collection collection(index());
  EXPECT_FALSE(collection.reload());
  remove({"p4", "p0"});
  EXPECT_EQ(collection.facts().images, 5U);
  EXPECT_TRUE(collection.reload());
  EXPECT_EQ(collection.facts().images, 3U);
  EXPECT_THROW(collection.file_of("p0"), UnknownImage);
  EXPECT_FALSE(collection.reload());
  write_file(index() / kContentsFile, "{}");
  EXPECT_THROW(collection.reload(), InputError);
  EXPECT_FALSE(collection.reload()) << "a broken index is tried once, until it changes again";
  EXPECT_EQ(collection.facts().images, 3U);
}

// A lack of descriptors passes, and is no verdict on the files.
TEST_F(CollectionTest, AfterTheMachinesFaultItTriesAgain) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "the sanitizer looks at memory through a pipe, and takes a lack of one for a fault";
#endif
  Collection collection(index());
  remove({"p4", "p0"});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(collection.reload(), std::exception);
  EXPECT_FALSE(collection.reload()) << "after a pause only";
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  bool reloaded = false;
  for (int i = 0; i < 100 && !reloaded; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    reloaded = collection.reload();
  }
  EXPECT_TRUE(reloaded) << "no file changed since";
  EXPECT_EQ(collection.facts().images, 3U);
}

// As cp and rsync write a folder: index.json may be there long before the rest.
TEST_F(CollectionTest, TakesUpAnIndexThatIsCopiedFileByFile) {
  Collection collection(index());
  remove({"p4", "p0"});
  const std::filesystem::path rows = index() / kScanFile;
  const std::string bytes = read_file(rows);
  write_file(rows, bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(collection.reload(), InputError);
  EXPECT_FALSE(collection.reload());
  write_file(rows, bytes);
  EXPECT_TRUE(collection.reload());
  EXPECT_EQ(collection.facts().images, 3U);
  EXPECT_FALSE(collection.reload());
}

// For the thread sanitizer, too: every call beside reloads, each answered from one version.
TEST_F(CollectionTest, AsksFromManyThreadsWhileItReloads) {
  Collection collection(index(), {.stays = true});
  std::atomic<bool> done = false;
  std::atomic<int> asked = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const std::vector<std::string> sentences = {"a dog", "the beach"};
      while (!done) {
        const auto answers = collection.ask(sentences, english({like("p1", 0.1F)}));
        const std::size_t images = answers[0].found.size() + 1;
        EXPECT_TRUE(images == 5 || images == 3) << images;
        EXPECT_EQ(answers[1].found.size() + 1, images);
        EXPECT_THAT(collection.stored_sentences("p1", 1), testing::Not(IsEmpty()));
        EXPECT_EQ(collection.embed(sentences, "en").items.size(), 2U);
        collection.check();
        ++asked;
      }
    });
  }
  for (int i = 0; i < 6; ++i) {
    build(i % 2 == 0 ? std::vector<int>{0, 1, 2} : std::vector<int>{0, 1, 2, 3, 4});
    EXPECT_TRUE(collection.reload());
    for (const int before = asked; asked < before + 4;) std::this_thread::yield();
  }
  done = true;
}

// Keeps so many sentences that they take a second or so to read.
void store_many_sentences(const std::filesystem::path& index) {
  constexpr std::int64_t kMany = 500'000;
  std::string lines;
  for (std::int64_t i = 0; i < kMany; ++i)
    lines += R"({"lang": "en", "text": "a dog"})"
             "\n";
  write_file(index / "sentences.jsonl", lines);
  write_npy(index / "sentences.npy", std::vector<float>(6 * kMany), {kMany, 6});
  write_checksums(index);
}

TEST_F(CollectionTest, LoadingSentencesKeepsNoQuestionWaiting) {
  store_many_sentences(index());
  const Collection collection(index());
  std::atomic<bool> loading = false;
  auto sentences = std::async(std::launch::async, [&] {
    loading = true;
    return collection.stored_sentences("p1", 1);
  });
  while (!loading) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(collection.ask(std::vector<std::string>{"a dog"}, english()).front().found.size(), 5U);
  EXPECT_EQ(sentences.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  EXPECT_THAT(sentences.get(), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace hinny

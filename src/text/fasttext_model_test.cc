// Our reader of .bin against the library that defines the format.
#include "text/fasttext_model.h"

#include <fasttext/fasttext.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "tests/scratch.h"
#include "text/vector_import.h"

namespace hinny {
namespace {

constexpr int kDim = 8;

class FastTextFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    Random random(1);
    const std::vector<std::string> words = {"Hund", "hund", "läuft", "犬", "a", "straße", "İ"};
    for (int i = 0; i < 300; ++i) text += random.pick(words) + (i % 10 == 9 ? "\n" : " ");
    write_file(folder_ / "text", text);
    args_.input = (folder_ / "text").string();
    args_.model = fasttext::model_name::sg;
    args_.loss = fasttext::loss_name::ns;
    args_.dim = kDim;
    args_.epoch = 1;
    args_.minCount = 1;
    args_.bucket = 500;
    args_.thread = 1;
    args_.verbose = 0;
  }

  std::filesystem::path trained() {
    library_.train(args_);
    library_.saveModel((folder_ / "model.bin").string());
    return folder_ / "model.bin";
  }

  std::vector<float> by_library(const std::string& word) {
    fasttext::Vector vector(kDim);
    library_.getWordVector(vector, word);
    return {vector.data(), vector.data() + kDim};
  }

  Scratch folder_;
  fasttext::Args args_;
  fasttext::FastText library_;
};

TEST_F(FastTextFile, GivesTheLibrarysVectors) {
  for (const auto& [shortest, longest] : {std::pair(3, 6), {1, 2}, {0, 3}}) {
    args_.minn = shortest;
    args_.maxn = longest;
    FastTextModel model(trained());
    std::map<std::string, std::int32_t, std::less<>> ids;
    model.for_each_word([&](std::string_view word, std::int32_t id) { ids.emplace(word, id); });
    EXPECT_EQ(ids.size(), 8U);  // with </s>
    for (const std::string word :
         {"Hund", "hund", "läuft", "犬", "a", "straße", "İ", "</s>", "hunde", "犬犬", "é", "xyz"}) {
      const auto found = ids.find(word);
      std::vector<float> vector(kDim);
      ASSERT_TRUE(
          model.vector(word, found == ids.end() ? FastTextModel::kNoId : found->second, vector));
      EXPECT_THAT(vector, ::testing::Pointwise(::testing::FloatNear(1e-6F), by_library(word)))
          << word;
    }
  }
}

TEST_F(FastTextFile, WithoutNgramsAnUnknownWordHasNoVector) {
  args_.maxn = 0;
  FastTextModel model(trained());
  std::int32_t last = -1;
  model.for_each_word([&](std::string_view, std::int32_t id) { last = id; });
  std::vector<float> vector(kDim);
  EXPECT_FALSE(model.vector("hunde", FastTextModel::kNoId, vector));
  EXPECT_TRUE(model.vector("hund", last, vector));
}

TEST_F(FastTextFile, ImportTakesTheFrequentFormAndFillsGapsByNgrams) {
  write_file(folder_ / "text", "Hund Hund hund läuft läuft läuft läuft\n");
  const auto path = trained();
  Vocabulary wanted;
  for (const char* word : {"hunde", "hund"}) wanted.add(word, 1);
  const ImportedVectors imported = import_word_vectors(path, "de", wanted);
  EXPECT_THAT(imported.vectors.words(), ::testing::ElementsAre("hunde", "hund"));
  EXPECT_EQ(imported.by_ngrams, 1U);
  EXPECT_THAT(imported.vectors.find("hund"),
              ::testing::Pointwise(::testing::FloatNear(1e-6F), by_library("Hund")));
  EXPECT_THAT(imported.vectors.find("hunde"),
              ::testing::Pointwise(::testing::FloatNear(1e-6F), by_library("hunde")));
}

// Reads all there is to read.
void use(const std::filesystem::path& path) {
  FastTextModel model(path);
  model.for_each_word([](std::string_view, std::int32_t) {});
}

TEST_F(FastTextFile, RefusesDamage) {
  const std::string whole = read_file(trained());
  const auto path = folder_ / "bad.bin";
  // The output matrix follows the rows; nothing reads it.
  const std::size_t needed = whole.size() - 8U * kDim * sizeof(float) - 17;
  for (std::size_t size = 0; size < needed; size += size < 400 ? 1 : 101) {
    std::ofstream(path) << whole.substr(0, size);  // quicker than write_file(), which syncs
    EXPECT_THROW(use(path), InputError) << size;
  }
  const auto expect_refused = [&](std::size_t offset, std::int32_t value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    write_file(path, bytes);
    EXPECT_THROW(use(path), InputError) << offset;
  };
  expect_refused(0, 1);            // magic
  expect_refused(4, 99);           // version
  expect_refused(8, 1 << 30);      // dim
  expect_refused(8, kDim + 1);     // another one than the matrix has
  expect_refused(8 + 4 * 8, 501);  // buckets
  expect_refused(8 + 4 * 10, -1);  // longest n-gram
  expect_refused(64, 0x7FFFFFFF);  // entries
  expect_refused(68, -1);          // words
  expect_refused(88, 0);           // pruned: quantised
}

TEST_F(FastTextFile, NamesQuantisedModels) {
  args_.model = fasttext::model_name::sup;
  args_.loss = fasttext::loss_name::softmax;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += (i % 2 == 0 ? "__label__a word" : "__label__b word") + std::to_string(i) + "\n";
  }
  write_file(folder_ / "text", text);
  library_.train(args_);
  fasttext::Args quantise = args_;
  quantise.qout = false;
  quantise.dsub = 2;
  library_.quantize(quantise);
  library_.saveModel((folder_ / "model.ftz").string());
  try {
    use(folder_ / "model.ftz");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("quantised"));
  }
}

}  // namespace
}  // namespace hinny

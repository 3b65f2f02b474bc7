// A re-ranking model, as a user trains and measures one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "index/asking/collection.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/split_scorer.h"
#include "training/start/open_experiment.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class RerankingProgram : public testing::Test {
 protected:
  Outcome train(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"train", "hinny", "--data", data_.folder(), "--features",
                                      "toy",   "--out", run_,     "--threads",    "1"};
    for (const char* key : {"text.min_count=1", "train.epochs=8", "sample.images_per_batch=8",
                            "image.hidden=32", "text.dim=16", "dim=16", "hubs.size=20"}) {
      words.insert(words.end(), {"--set", key});
    }
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  std::vector<std::string> with_reranker() const {
    std::vector<std::string> words = {"--regions", "grid"};
    for (const char* key : {"reranker.text.min_count=1", "reranker.train.epochs=8",
                            "reranker.sample.images_per_batch=8", "reranker.image.hidden=32",
                            "reranker.text.dim=16", "reranker.dim=16", "reranker.hubs.size=20"}) {
      words.insert(words.end(), {"--set", key});
    }
    return words;
  }
  Outcome eval(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"eval", run_, "--data", data_.folder(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  double average(const std::vector<std::string>& more) const {
    const Outcome outcome = eval(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["average"].get<double>();
  }

  Outcome index() const {
    return run_hinny({"index", run_, "--data", data_.folder(), "--weights", "fp32", "--out", index_,
                      "--split", "test"});
  }
  nlohmann::json search(std::vector<std::string> words) const {
    words.insert(words.begin(), {"search", index_, "--json"});
    const Outcome found = run_hinny(words);
    EXPECT_EQ(found.code, 0) << found.err;
    return nlohmann::json::parse(found.out, nullptr, false)["results"];
  }
  // The share of the test captions, in percent, whose picture a search finds first.
  double found_first(const std::string& language, const std::string& rerank) const {
    const Dataset dataset = Dataset::load(data_.folder());
    const Collection collection(index_);
    Question question;
    question.language = language;
    question.k = 1;
    question.rerank = std::stoul(rerank);
    double asked = 0, right = 0;
    for (const int image : dataset.split("test")) {
      for (const int caption : dataset.captions_of(image, dataset.language(language))) {
        const std::vector<std::string> text = {
            dataset.captions()[static_cast<std::size_t>(caption)].text};
        ++asked;
        right += collection.ask(text, question).front().found.front().image ==
                 dataset.images()[static_cast<std::size_t>(image)].id;
      }
    }
    return 100 * right / asked;
  }

  TinyDataset data_;
  Scratch scratch_;
  std::string run_ = scratch_ / "run", index_ = scratch_ / "index";
};

TEST_F(RerankingProgram, IsTrainedMeasuredAndResumed) {
  const Outcome trained = train(with_reranker());
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("re-ranking model:"));
  EXPECT_TRUE(fs::exists(fs::path(run_) / "look" / "hubs.safetensors"));
  const double alone = average({}), both = average({"--rerank", "5"});
  EXPECT_GT(both, 40);
  EXPECT_NE(both, alone);
  EXPECT_EQ(average({"--rerank", "5", "--regions", "grid"}), both);

  // Lost between the trainings: the same command goes on.
  fs::remove_all(fs::path(run_) / "look");
  std::vector<std::string> again = with_reranker();
  again.push_back("--resume");
  ASSERT_EQ(train(again).code, 0);
  EXPECT_EQ(average({"--rerank", "5"}), both);
}

TEST_F(RerankingProgram, MistakesAreNamed) {
  const Outcome keys = train({"--set", "look.train.epochs=3"});
  EXPECT_EQ(keys.code, 2);
  EXPECT_THAT(keys.err, HasSubstr("--regions"));
  EXPECT_THAT(keys.err, HasSubstr("--set reranker.train.epochs=3"));
  const Outcome wrong = train({"--regions", "grid", "--set", "reranker.text.hidden=3"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("text.hidden"));
  EXPECT_THAT(wrong.err, Not(HasSubstr("note:")));
  // By their name in earlier versions, which is told once.
  const Outcome old =
      train({"--regions", "grid", "--set", "look.text.hidden=3", "--set", "look.train.epochs=3"});
  EXPECT_EQ(old.code, 2);
  EXPECT_THAT(old.err, HasSubstr("text.hidden"));
  EXPECT_EQ(old.err.find("is called --set reranker.KEY now"),
            old.err.rfind("is called --set reranker.KEY now"));
  EXPECT_THAT(old.err, HasSubstr("note: --set look.KEY is called --set reranker.KEY now"));
  EXPECT_FALSE(fs::exists(run_));  // before anything was trained
  ASSERT_EQ(train({}).code, 0);
  const Outcome none = eval({"--rerank", "5"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no re-ranking"));
}

// Index and search order pictures as eval measures them.
TEST_F(RerankingProgram, IsIndexedAndSearched) {
  ASSERT_EQ(train(with_reranker()).code, 0);
  const Outcome indexed = index();
  ASSERT_EQ(indexed.code, 0) << indexed.err;
  EXPECT_THAT(indexed.out, HasSubstr("and a re-ranking model"));
  const auto measured = nlohmann::json::parse(eval({"--rerank", "5"}).out)["languages"];
  const auto first = nlohmann::json::parse(eval({}).out)["languages"];
  for (const std::string language : {"en", "de"}) {
    EXPECT_DOUBLE_EQ(found_first(language, "5"), measured[language]["text_to_image"]["r1"]);
    EXPECT_DOUBLE_EQ(found_first(language, "1"), first[language]["text_to_image"]["r1"]);
  }
  // What a hit shows is the cosine, whoever put it in its place.
  const auto with = search({"red ball", "--lang", "en"}),
             without = search({"red ball", "--lang", "en", "--rerank", "1"});
  std::map<std::string, double> scores;
  for (const auto& hit : without) scores[hit["image"]] = hit["score"];
  for (const auto& hit : with) EXPECT_EQ(hit["score"], scores.at(hit["image"]));
  for (const auto& hit : search({"red ball", "--lang", "en", "--explain", "-k", "2"})) {
    EXPECT_EQ(hit["explanation"]["regions"].size(), 3U);
    EXPECT_EQ(hit["explanation"]["words"].size(), 2U);
  }
  // A picture, or a sentence of words that the re-ranking model lacks, is found without it.
  EXPECT_EQ(search({"--like", "i33", "-k", "3"}).size(), 3U);
}

TEST_F(RerankingProgram, StaysWithAChangedIndex) {
  ASSERT_EQ(train(with_reranker()).code, 0);
  ASSERT_EQ(index().code, 0);
  const std::vector<std::string> question = {"green car", "--lang", "en"};
  const auto before = search(question);
  const std::string last = before.back()["image"];
  ASSERT_EQ(run_hinny({"index", "remove", index_, last}).code, 0);
  EXPECT_EQ(search(question).size(), 7U);
  const std::vector<std::string> add = {"index",        "add",     index_, "--data",
                                        data_.folder(), "--split", "test"};
  ASSERT_EQ(run_hinny(add).code, 0);
  EXPECT_EQ(search(question), before);
  // Without regions nothing is added: the index stays whole.
  fs::rename(data_.folder() / "features/grid.npy", data_.folder() / "features/other.npy");
  const Outcome refused = run_hinny(add);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("grid"));
  EXPECT_EQ(search(question), before);
  // A new index goes without.
  const Outcome without = index();
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_THAT(without.err, HasSubstr("no re-ranking"));
  EXPECT_FALSE(fs::exists(fs::path(index_) / "look"));
}

TEST_F(RerankingProgram, OfOtherPicturesIsRefused) {
  ASSERT_EQ(train(with_reranker()).code, 0);
  ASSERT_EQ(index().code, 0);
  ASSERT_EQ(run_hinny({"index", "remove", index_ + "/look", "i33"}).code, 0);
  const Outcome search = run_hinny({"search", index_, "red ball"});
  EXPECT_EQ(search.code, 2);
  EXPECT_THAT(search.err, HasSubstr("no re-ranking model of this index's pictures"));
}

// As scan: words and regions, and the pictures nearest by their means alone.
TEST_F(RerankingProgram, AloneItCanBeIndexedToo) {
  ASSERT_EQ(train(with_reranker()).code, 0);
  const std::string alone = scratch_ / "alone";
  const Outcome indexed = run_hinny({"index", (fs::path(run_) / "look").string(), "--data",
                                     data_.folder(), "--weights", "fp32", "--out", alone});
  ASSERT_EQ(indexed.code, 0) << indexed.err;
  const auto e = open_experiment(fs::path(run_) / "look", data_.folder());
  SplitScorer scorer(*e, "test");
  const SplitCaptions captions = scorer.captions(0);
  const ScoreMatrix scores = scorer.scores(0, captions.captions, nullptr);
  const std::vector<int> images = e->dataset.split("test");
  for (std::size_t c = 0; c < 4; ++c) {
    const int caption = captions.captions[c];
    const Outcome found =
        run_hinny({"search", alone, e->dataset.captions()[static_cast<std::size_t>(caption)].text,
                   "--lang", e->dataset.languages()[0], "--json"});
    ASSERT_EQ(found.code, 0) << found.err;
    const auto results = nlohmann::json::parse(found.out)["results"];
    ASSERT_EQ(results.size(), images.size());
    std::vector<float> order;  // falls, as corrected scores do
    for (const auto& hit : results) {
      const auto row = static_cast<std::size_t>(
          std::ranges::find(images, e->dataset.find(hit["image"].get<std::string>())) -
          images.begin());
      order.push_back(scores.values[row * scores.captions + c]);
    }
    for (std::size_t i = 1; i < order.size(); ++i) EXPECT_GT(order[i - 1], order[i] - 2e-3F) << i;
  }
}

}  // namespace
}  // namespace hinny

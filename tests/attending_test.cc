// Models with regions in an index: scores as in training, shortlists, and what carried a score.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "tests/parameter_name.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "training/start/open_experiment.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Attending : public testing::Test {
 protected:
  // Trains `recipe` and makes an index of the test pictures; both are called `name`.
  void make(const std::string& name, const std::string& recipe, const std::string& features,
            std::vector<std::string> keys = {}) {
    std::vector<std::string> words = {"train",  recipe,  "--data",  data_.folder(), "--features",
                                      features, "--out", run(name), "--threads",    "1"};
    keys.insert(keys.begin(), {"text.dim=16", "text.min_count=1", "text.vectors=random",
                               "text.hidden=16", "dim=16", "train.epochs=30",
                               "sample.images_per_batch=8", "train.validate_every=0"});
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    const Outcome trained = run_hinny(words);
    ASSERT_EQ(trained.code, 0) << trained.err;
    const Outcome indexed = run_hinny({"index", run(name), "--data", data_.folder(), "--split",
                                       "test", "--weights", "fp32", "--out", index(name)});
    ASSERT_EQ(indexed.code, 0) << indexed.err;
  }
  json search(std::vector<std::string> words) {
    words.insert(words.begin(), "search");
    words.emplace_back("--json");
    const Outcome found = run_hinny(words);
    EXPECT_EQ(found.code, 0) << found.err;
    return json::parse(found.out, nullptr, false);
  }
  std::string run(const std::string& name) const { return scratch_ / (name + "-run"); }
  std::string index(const std::string& name) const { return scratch_ / name; }

  TinyDataset data_;
  Scratch scratch_;
};

double sum(const json& numbers) {
  double total = 0;
  for (const json& number : numbers) total += number.get<double>();
  return total;
}

// All kinds of attention, as the fused kernel has them.
class AttendingKind : public Attending,
                      public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(AttendingKind, SearchGivesTheScoresOfTheTraining) {
  std::vector<std::string> keys = GetParam();
  keys.emplace_back("train.epochs=3");
  make("scan", "scan", "grid", keys);
  const auto e = open_experiment(run("scan"), data_.folder());
  const torch::NoGradGuard no_gradient;
  e->system->eval();
  const std::vector<int> images = e->dataset.split("test");
  for (int language = 0; language < 2; ++language) {
    const int caption = e->dataset.captions_of(images.front(), language)[1];
    const std::vector<int> one = {caption};
    const torch::Tensor scores =
        e->system->pair_scores(e->builder.images(images), e->builder.captions(one, {}),
                               e->system_language[static_cast<std::size_t>(language)]);
    const std::string& text = e->dataset.captions()[static_cast<std::size_t>(caption)].text;
    const json found = search({index("scan"), text, "--lang",
                               e->dataset.languages()[static_cast<std::size_t>(language)]});
    ASSERT_EQ(found["results"].size(), images.size());
    for (const json& hit : found["results"]) {
      const int image = e->dataset.find(hit["image"].get<std::string>());
      const auto row = std::find(images.begin(), images.end(), image) - images.begin();
      EXPECT_NEAR(hit["score"].get<double>(), scores[row][0].item<double>(), 2e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, AttendingKind,
    testing::Values(std::vector<std::string>{},
                    std::vector<std::string>{"attention.direction=image-to-text",
                                             "attention.lambda_softmax=4"},
                    std::vector<std::string>{"attention.norm=softmax", "attention.pooling=mean"},
                    std::vector<std::string>{"attention.norm=none"},
                    std::vector<std::string>{"attention.norm=clipped", "attention.pooling=mean",
                                             "attention.direction=image-to-text"},
                    std::vector<std::string>{"attention.norm=l2"}),
    [](const auto& info) {
      std::string name = info.param.empty() ? "as_in_the_recipe" : "";
      for (const std::string& key : info.param) {
        const std::string value = parameter_name(std::string_view(key).substr(key.find('=') + 1));
        name += (name.empty() ? "" : "_") + value;
      }
      return name;
    });

TEST_F(Attending, AnExplanationDividesTheScore) {
  make("scan", "scan", "grid", {"train.epochs=60", "text.markers=false"});
  const json found = search({index("scan"), "red ball", "--lang", "en", "--explain", "-k", "8"});
  ASSERT_EQ(found["results"].size(), 8U);
  for (const json& hit : found["results"]) {
    const json& why = hit["explanation"];
    ASSERT_EQ(why["words"].size(), 2U);
    EXPECT_NEAR(sum(why["regions"]), 1, 1e-3);
    double shares = 0;
    for (const json& word : why["words"]) {
      shares += word["share"].get<double>();
      EXPECT_NEAR(sum(word["regions"]), word["share"].get<double>(), 1e-3);
    }
    EXPECT_NEAR(shares, 1, 1e-3);
  }
  const json& best = found["results"][0]["explanation"];
  EXPECT_EQ(best["words"][0]["word"], "red");
  EXPECT_EQ(best["words"][1]["word"], "ball");
  const Outcome text =
      run_hinny({"search", index("scan"), "red ball", "--lang", "en", "--explain"});
  EXPECT_THAT(text.out, HasSubstr("ball"));
  EXPECT_THAT(text.out, HasSubstr("carried most"));
}

TEST_F(Attending, SeveralSentencesScoreTheirMean) {
  make("scan", "scan", "grid");
  // And of lines about one picture, each as a question for it.
  const std::string lines = scratch_ / "lines";
  write_file(lines, "red ball\nblue tree\n");
  for (const json& line :
       search({index("scan"), "--like", "i33", "--sentences", lines, "--lang", "en"})["results"]) {
    for (const json& hit :
         search({index("scan"), line["sentence"].get<std::string>(), "--lang", "en"})["results"]) {
      if (hit["image"] == "i33") {
        EXPECT_NEAR(hit["score"].get<double>(), line["score"].get<double>(), 1e-5);
      }
    }
  }
  const auto scores = [&](const std::vector<std::string>& words) {
    std::map<std::string, double> by_image;
    std::vector<std::string> all = {index("scan")};
    all.insert(all.end(), words.begin(), words.end());
    const json answer = search(all);
    for (const json& hit : answer["results"]) by_image[hit["image"]] = hit["score"];
    return by_image;
  };
  const auto en = scores({"red ball", "--lang", "en"}), de = scores({"rot Ball", "--lang", "de"});
  const auto both = scores({"red ball", "--lang", "en", "--also", "de=rot Ball"});
  for (const auto& [image, score] : both) {
    EXPECT_NEAR(score, (en.at(image) + de.at(image)) / 2, 1e-5) << image;
  }
}

TEST_F(Attending, AnotherIndexDrawsUpTheShortlist) {
  make("scan", "scan", "grid");
  make("bag", "bag", "toy");
  const json first = search({index("bag"), "blue tree", "--lang", "en", "-k", "3"});
  std::vector<std::string> wanted, found;
  for (const json& hit : first["results"]) wanted.push_back(hit["image"]);
  const json compared = search({index("scan"), "blue tree", "--lang", "en", "--first", index("bag"),
                                "--rerank", "3", "-k", "3"});
  for (const json& hit : compared["results"]) found.push_back(hit["image"]);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(wanted));
  const json own = search({index("scan"), "blue tree", "--lang", "en", "--rerank", "2", "-k", "2"});
  EXPECT_EQ(own["results"].size(), 2U);
  const Outcome refused =
      run_hinny({"search", index("bag"), "blue tree", "--lang", "en", "--first", index("scan")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("compares words with regions"));
}

TEST_F(Attending, PooledRegionsAreFoundAndExplained) {
  make("san", "san", "grid", {"text.markers=false"});
  make("dan", "dan", "grid", {"text.markers=false"});
  for (const char* name : {"san", "dan"}) {
    const json found = search({index(name), "red ball", "--lang", "en", "--explain"});
    const json& why = found["results"][0]["explanation"];
    EXPECT_NEAR(sum(why["regions"]), 1, 2e-3) << name;
    ASSERT_EQ(why["words"].size(), 2U);
    EXPECT_NEAR(why["words"][0]["share"].get<double>() + why["words"][1]["share"].get<double>(), 1,
                1e-3);
    EXPECT_EQ(why["regions"].size(), 3U) << name;
  }
}

TEST_F(Attending, ChangesOfTheIndexKeepTheRegions) {
  make("scan", "scan", "grid");
  const std::vector<std::string> query = {index("scan"), "green car", "--lang", "en"};
  const json before = search(query);
  const std::string last = before["results"][7]["image"];
  ASSERT_EQ(run_hinny({"index", "remove", index("scan"), last}).code, 0);
  const json without = search(query);
  EXPECT_EQ(without["results"].size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(without["results"][i], before["results"][i]);
  ASSERT_EQ(
      run_hinny({"index", "add", index("scan"), "--data", data_.folder(), "--split", "test"}).code,
      0);
  EXPECT_EQ(search(query), before);
}

TEST_F(Attending, WhatIsWrongIsSaid) {
  make("bag", "bag", "toy");
  const Outcome whole = run_hinny({"search", index("bag"), "red ball", "--explain"});
  EXPECT_EQ(whole.code, 2);
  EXPECT_THAT(whole.err, HasSubstr("regions"));
  make("scan", "scan", "grid", {"train.epochs=2"});
  const Outcome picture =
      run_hinny({"search", index("scan"), "red ball", "--like", "i33", "--explain"});
  EXPECT_EQ(picture.code, 2) << picture.out;
  const fs::path file = fs::path(index("scan")) / "regions.npy";
  fs::resize_file(file, fs::file_size(file) - 8);
  const Outcome broken = run_hinny({"search", index("scan"), "red ball"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("regions.npy"));
}

}  // namespace
}  // namespace hinny

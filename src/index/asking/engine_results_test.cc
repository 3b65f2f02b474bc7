#include "index/asking/engine_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace hinny {
namespace {

using testing::ElementsAre;

// Frames of two films and pictures, in the order of their scores: a1 is the best.
class Rows : public Engine {
 public:
  Facts facts() const override { return {rows.size(), true}; }
  std::vector<Found> nearest(const Query&, const Question& shared,
                             std::span<const std::string>) const override {
    asked.push_back(shared.k);
    std::vector<Found> found = rows;
    std::erase_if(found, [&](const Found& row) { return row.score < shared.min_score; });
    const bool newest = shared.order == Question::Order::time;
    if (newest && shared.has_least_score()) sort_by_time(found);
    found.resize(std::min(found.size(), shared.k));
    if (newest) sort_by_time(found);
    return found;
  }
  std::vector<float> vector(const std::string&) const override { return {}; }
  std::string file(const std::string&) const override { return ""; }

  std::vector<Found> rows;
  mutable std::vector<std::size_t> asked;

 private:
  static void sort_by_time(std::vector<Found>& found) {
    std::ranges::stable_sort(found, std::ranges::greater(), &Found::taken);
  }
};

class EngineResults : public testing::Test {
 protected:
  // "a1" is a frame of a.mp4 at one second, "p" a picture; the later, the worse and the newer.
  void have(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const bool frame = name.size() > 1;
      const std::string file = fmt::format("/all/{}.{}", name[0], frame ? "mp4" : "jpg");
      Found row{frame ? fmt::format("{}.mp4#t={}", name[0], name.substr(1)) : name, file,
                1 - 0.01F * static_cast<float>(engine_.rows.size())};
      row.taken = fmt::format("2024-01-{:02}", engine_.rows.size() + 1);
      engine_.rows.push_back(row);
    }
  }
  std::vector<std::string> found(const Question& shared) const {
    std::vector<std::string> names;
    for (const Found& one : engine_results(engine_, {}, shared, {})) names.push_back(one.image);
    return names;
  }
  static Question first(std::size_t k) {
    Question question;
    question.k = k;
    return question;
  }

  Rows engine_;
};

TEST_F(EngineResults, AFilmIsOneResultByItsBestFrame) {
  have({"a1", "a2", "a3", "p", "b7", "a4", "b8", "q", "r"});
  EXPECT_THAT(found(first(3)), ElementsAre("a.mp4#t=1", "p", "b.mp4#t=7"));
  EXPECT_THAT(found(first(1)), ElementsAre("a.mp4#t=1"));
  EXPECT_THAT(found(first(50)), ElementsAre("a.mp4#t=1", "p", "b.mp4#t=7", "q", "r"));
  Question each = first(3);
  each.each_frame = true;
  EXPECT_THAT(found(each), ElementsAre("a.mp4#t=1", "a.mp4#t=2", "a.mp4#t=3"));
}

TEST_F(EngineResults, PicturesAloneAreAskedForOnce) {
  have({"p", "q", "r", "a1"});
  EXPECT_THAT(found(first(3)), ElementsAre("p", "q", "r"));
  EXPECT_THAT(engine_.asked, ElementsAre(3));
}

TEST_F(EngineResults, ManyFramesBeforeTheNextResultAreGoneThrough) {
  std::vector<std::string> names;
  for (int i = 0; i < 90; ++i) names.push_back(fmt::format("a{}", i));
  names.insert(names.end(), {"p", "q", "r"});
  have(names);
  EXPECT_THAT(found(first(3)), ElementsAre("a.mp4#t=0", "p", "q"));
}

TEST_F(EngineResults, TheKBestAreSortedByTimeOnceTheyAreFound) {
  have({"a1", "a2", "a3", "p", "q", "b7"});
  Question question = first(3);
  question.order = Question::Order::time;
  EXPECT_THAT(found(question), ElementsAre("q", "p", "a.mp4#t=1"));
  question.min_score = 0.955;  // the newest of all that reach it: not b7
  EXPECT_THAT(found(question), ElementsAre("q", "p", "a.mp4#t=3"));
}

}  // namespace
}  // namespace hinny

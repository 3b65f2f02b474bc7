// What must hold between the answers to questions that are related, whatever they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/threads.h"
#include "index/asking/results_fixture.h"
#include "index/folder/vectors_index_fixture.h"

namespace hinny {
namespace {

class AskedRelations : public ResultsTest {
 protected:
  // A question of one to three parts, which says nothing of k and of filters.
  Question any_question() {
    Question question;
    question.language = "en";
    question.parts = {said(sentences_[random_.below(sentences_.size())])};
    if (random_.below(2) == 0) question.parts.push_back(like(std::string(index->id(17)), 0.7F));
    if (random_.below(3) == 0) question.parts.push_back(said("on the beach", -0.4F));
    question.each_frame = random_.below(2) == 0;
    question.near_copies = random_.below(2) == 0;
    if (random_.below(2) == 0) question.min_score = random_.uniform(-0.5, 0.9);
    if (random_.below(3) == 0 && question.has_least_score()) {
      question.order = Question::Order::time;
    }
    return question;
  }
  Filter any_filter() {
    Filter filter;
    if (random_.below(2) == 0) filter.since = static_cast<std::int64_t>(random_.below(1000));
    if (random_.below(2) == 0) filter.until = static_cast<std::int64_t>(random_.below(1000));
    if (random_.below(3) == 0) {
      filter.kind = random_.below(2) == 0 ? Filter::Kind::film : Filter::Kind::picture;
    }
    return filter;
  }

  std::vector<std::string> sentences_ = {"a dog", "the beach", "a dog runs on the beach", "runs"};
  Random random_{40};
};

TEST_F(AskedRelations, MoreResultsBeginWithTheFewer) {
  for (const bool hubs : {false, true}) {
    make(20, hubs, false, true);
    for (int turn = 0; turn < 60; ++turn) {
      Question question = any_question();
      question.filter = any_filter();
      question.k = kPictures;
      const Ids all = found(question);
      for (const std::size_t k : {std::size_t{1}, std::size_t{5}, 1 + random_.below(kPictures)}) {
        question.k = k;
        const Ids some = found(question);
        EXPECT_LE(some.size(), k);
        EXPECT_TRUE(std::ranges::equal(some, std::span(all).first(some.size())))
            << turn << " " << k;
        // What k cuts off of corrected scores is cut off before the least score is asked for.
        if (!hubs) {
          EXPECT_EQ(some.size(), std::min(k, all.size())) << turn << " " << k;
        }
      }
    }
  }
}

TEST_F(AskedRelations, AFilterLeavesWhatItLeavesOfAllResults) {
  make(22, false, false, true);
  std::size_t left = 0;
  for (int turn = 0; turn < 100; ++turn) {
    Question question = any_question();
    question.near_copies = false;  // a copy of what is left out stands for itself
    question.each_frame = true;    // as does another frame
    question.k = kPictures;
    const Ids all = found(question);
    question.filter = any_filter();
    RowMask kept(kPictures, true);
    for (const Filter& alone :
         {Filter{.since = question.filter.since}, Filter{.until = question.filter.until},
          Filter{.kind = question.filter.kind}}) {
      kept.keep(matching(*index, alone));
    }
    Ids wanted;
    std::ranges::copy_if(all, std::back_inserter(wanted),
                         [&](const auto& result) { return kept[*index->find(result.front())]; });
    EXPECT_EQ(found(question), wanted) << turn;
    left += wanted.size();
  }
  EXPECT_GT(left, 2000U);
}

TEST_F(AskedRelations, OrderAndCompanyOfQuestionsChangeNothing) {
  make(23, true, false, true);
  const auto text_of = [](const Answer& answer) {
    std::string text = answer.sentence;
    for (const Found& one : answer.found) {
      text += fmt::format(" {}={}", one.image, one.score);
      for (const Found& copy : one.copies) text += fmt::format("+{}", copy.image);
    }
    return text;
  };
  for (int turn = 0; turn < 30; ++turn) {
    Question shared = any_question();
    shared.parts.erase(shared.parts.begin());
    shared.filter = any_filter();
    shared.k = 1 + random_.below(60);
    std::vector<std::string> alone;
    for (const std::string& sentence : sentences_) {
      alone.push_back(text_of(
          ask_each(*index, reading_with(*encoder), std::span(&sentence, 1), shared).front()));
    }
    std::vector<std::string> together, order = sentences_;
    random_.shuffle(std::span(order));
    for (const Answer& answer : ask_each(*index, reading_with(*encoder), order, shared)) {
      together.push_back(text_of(answer));
    }
    EXPECT_TRUE(std::ranges::is_permutation(together, alone)) << turn;
  }
}

// Of an index of vectors alone, by scan, by codes and by graph.
struct Searched {
  int codes;
  Method method;
};

class SearchRelations : public testing::TestWithParam<Searched> {
 protected:
  static constexpr std::size_t kRows = 90'000, kColumns = 24;  // enough for several threads

  // Hits as positions in the whole, of the rows from `first` on.
  static std::vector<std::vector<Hit>> hits_of(const Index& index, std::span<const float> queries,
                                               std::size_t k, std::size_t first = 0) {
    std::vector<Query> asked;
    for (std::size_t at = 0; at < queries.size(); at += kColumns) {
      const auto query = queries.subspan(at, kColumns);
      asked.push_back({index.contents().model, "image", {query.begin(), query.end()}, false, {}});
    }
    auto found = index.search(asked, k);
    for (auto& hits : found) {
      for (Hit& hit : hits) hit.image += first;
    }
    return found;
  }
  Index made(std::span<const float> rows, const std::string& name, bool graph) const {
    VectorsIndex index{.dim = kColumns, .vectors = {rows.begin(), rows.end()}};
    index.codes = GetParam().codes;
    index.write(folder / name, graph);
    return Index::open(folder / name, GetParam().method);
  }
  static bool same(const std::vector<std::vector<Hit>>& a, const std::vector<std::vector<Hit>>& b) {
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
      return std::ranges::equal(one, other, [](const Hit& x, const Hit& y) {
        return x.image == y.image && x.score == y.score;
      });
    });
  }

  const Scratch folder;
};

TEST_P(SearchRelations, ThreadsAndCompanyChangeNothingAndPartsAreTheWhole) {
  const bool graph = GetParam().method == Method::graph;
  const std::size_t rows = graph ? 3000 : kRows;
  const std::vector<float> vectors = clustered_vectors(rows, kColumns, 31);
  const std::span<const float> all(vectors), queries = all.subspan(7 * kColumns, 5 * kColumns);
  const Index whole = made(all, "whole", graph);
  const int threads = thread_count();
  for (const std::size_t k : {1U, 10U, 200U}) {
    set_thread_count(1);
    const auto wanted = hits_of(whole, queries, k);
    for (const int count : {2, 3, 7}) {
      set_thread_count(count);
      EXPECT_TRUE(same(hits_of(whole, queries, k), wanted)) << count;
    }
    for (std::size_t q = 0; q < 5; ++q) {
      const auto alone = hits_of(whole, queries.subspan(q * kColumns, kColumns), k);
      EXPECT_TRUE(same(alone, {wanted[q]})) << k << " " << q;
    }
    const auto more = hits_of(whole, queries, k + 300);
    for (std::size_t q = 0; q < 5; ++q) {
      EXPECT_TRUE(
          same({{more[q].begin(), more[q].begin() + static_cast<std::ptrdiff_t>(k)}}, {wanted[q]}))
          << k << " " << q;
    }
  }
  set_thread_count(threads);
  constexpr std::size_t kBest = 40;
  const std::size_t half = rows / 3;
  auto joined = hits_of(made(all.first(half * kColumns), "first", graph), queries, kBest);
  const auto rest =
      hits_of(made(all.subspan(half * kColumns), "rest", graph), queries, kBest, half);
  for (std::size_t q = 0; q < joined.size(); ++q) {
    joined[q].insert(joined[q].end(), rest[q].begin(), rest[q].end());
    std::ranges::sort(joined[q], ranks_before);
    joined[q].resize(kBest);
  }
  EXPECT_TRUE(same(joined, hits_of(whole, queries, kBest)));
}

INSTANTIATE_TEST_SUITE_P(Methods, SearchRelations,
                         testing::Values(Searched{kInt8, Method::scan},
                                         Searched{kInt8, Method::graph}, Searched{4, Method::scan},
                                         Searched{1, Method::scan}),
                         [](const auto& info) {
                           return fmt::format("bits{}{}", info.param.codes,
                                              info.param.method == Method::graph ? "graph" : "");
                         });

}  // namespace
}  // namespace hinny

// The newest that score well enough, against all of them sorted.
#include "index/asking/newest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/threads.h"
#include "index/folder/vectors_index_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::size_t kNewestRows = 3000;
constexpr std::size_t kNewestDim = 24;

enum class Times { as_named, reversed, random, few, one };

bool same(const Hit& a, const Hit& b) { return a.image == b.image && a.score == b.score; }

class Newest : public testing::TestWithParam<Times> {
 protected:
  Index make(bool hubs, int codes) {
    VectorsIndex made{kNewestDim, clustered_vectors(kNewestRows, kNewestDim, 8)};
    made.codes = codes;
    Random random(2);
    for (std::size_t i = 0; i < kNewestRows; ++i) {
      if (hubs) made.penalties.push_back(static_cast<float>(random.uniform(-0.3, 0)));
      made.times.push_back(time(i, random));
    }
    std::filesystem::remove_all(folder / "index");
    made.write(folder / "index");
    return Index::open(folder / "index");
  }
  static std::int64_t time(std::size_t i, Random& random) {
    const auto at = static_cast<std::int64_t>(i);
    switch (GetParam()) {
      case Times::as_named:
        return at;
      case Times::reversed:
        return -at;
      case Times::random:
        return static_cast<std::int64_t>(random.below(100'000));
      case Times::few:
        return static_cast<std::int64_t>(random.below(4));
      case Times::one:
        break;
    }
    return 7;
  }

  static std::vector<Hit> by_hand(const Index& index, const NewestQuestion& question,
                                  double min_score, std::span<const std::size_t> known,
                                  std::size_t k, const RowMask* among) {
    const RowMask all(index.size(), true);
    auto hits = std::move(
        index.search(std::span(question.query, 1), kNewestRows, among != nullptr ? among : &all)
            .front());
    std::erase_if(hits, [&](const Hit& hit) {
      return static_cast<double>(hit.score) < min_score ||
             std::ranges::find(known, hit.image) != known.end();
    });
    put_newest_first(index, question, hits);
    hits.resize(std::min(hits.size(), k));
    return hits;
  }

  const Scratch folder;
};

TEST_P(Newest, AreThoseOfAllSorted) {
  for (const auto& [hubs, codes] :
       {std::pair{false, kInt8}, {true, kInt8}, {false, 1}, {true, 2}, {true, 4}}) {
    const Index index = make(hubs, codes);
    std::vector<Query> queries;
    for (const std::size_t image : {3U, 77U, 1500U}) {
      queries.push_back({index.contents().model, "image", index.vector(image, "image"), hubs, {}});
    }
    for (float& x : queries[2].vector) x *= 5;  // not of length 1
    std::vector<NewestQuestion> questions;
    for (const Query& query : queries) questions.push_back({&query});
    for (std::size_t i = 0; i < 40; ++i) questions[1].places.emplace(i * 31 % kNewestRows, 40 - i);
    RowMask some(kNewestRows, true);
    some.keep_if(0, kNewestRows, [](std::size_t row) { return row % 10 < 3; });
    const std::vector<std::size_t> known = {3, 2999, 1500};
    const int threads = thread_count();
    for (const RowMask* among : std::initializer_list<const RowMask*>{nullptr, &some}) {
      for (const double min_score : {-9.0, 0.0, 0.35, 0.6, 3.0}) {
        for (const std::size_t k : {1U, 20U, 500U, 3000U}) {
          for (const int count : {1, 3}) {
            set_thread_count(count);
            const auto found = newest_hits(index, questions, min_score, known, k, among);
            for (std::size_t q = 0; q < questions.size(); ++q) {
              const auto wanted = by_hand(index, questions[q], min_score, known, k, among);
              ASSERT_TRUE(std::ranges::equal(found[q], wanted, same))
                  << hubs << ' ' << codes << ' ' << min_score << ' ' << k << ' ' << q;
            }
          }
        }
      }
    }
    set_thread_count(threads);
  }
}

std::string name_of_times(const testing::TestParamInfo<Times>& info) {
  switch (info.param) {
    case Times::as_named:
      return "as_named";
    case Times::reversed:
      return "reversed";
    case Times::random:
      return "random";
    case Times::few:
      return "few";
    case Times::one:
      break;
  }
  return "one";
}

INSTANTIATE_TEST_SUITE_P(Times, Newest,
                         testing::Values(Times::as_named, Times::reversed, Times::random,
                                         Times::few, Times::one),
                         name_of_times);

}  // namespace
}  // namespace hinny

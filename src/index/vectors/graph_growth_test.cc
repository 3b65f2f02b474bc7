#include "index/vectors/graph_growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "base/threads.h"
#include "index/vectors/code_file.h"
#include "index/vectors/graph.h"
#include "index/vectors/graph_builder.h"
#include "index/vectors/scan.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kGrowthDim = 24;
constexpr std::size_t kHits = 10;

// GrowingRows of a collection, of which some go and others come.
struct GrowingRows {
  std::vector<float> vectors;
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;

  void add(std::span<const float> vector) {
    vectors.insert(vectors.end(), vector.begin(), vector.end());
    bytes.resize(vectors.size());
    scales.push_back(to_int8(vector, std::span(bytes).last(kGrowthDim)));
  }
  std::span<const float> vector(std::size_t row) const {
    return std::span(vectors).subspan(row * kGrowthDim, kGrowthDim);
  }
  std::size_t size() const { return scales.size(); }
  Matrix scan() const {
    return {TensorType::int8, std::as_bytes(std::span(bytes)).data(), size(), kGrowthDim, scales};
  }
  GrowingRows some(std::span<const std::size_t> rows) const {
    GrowingRows result;
    for (const std::size_t row : rows) result.add(vector(row));
    return result;
  }
  GrowingRows first(std::size_t count) const {
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return some(rows);
  }
};

class GraphGrowthTest : public testing::Test {
 protected:
  std::vector<float> drawn() {
    std::vector<float> vector(kGrowthDim);
    for (float& number : vector) number = static_cast<float>(random.normal());
    return vector;
  }
  GrowingRows drawn_rows(std::size_t count) {
    GrowingRows rows;
    for (std::size_t i = 0; i < count; ++i) rows.add(drawn());
    return rows;
  }
  Graph open(const GrowingRows& rows, const char* name = "graph") const {
    return Graph::open(folder / name, content_hash(folder / name), rows.scan());
  }
  void build(const GrowingRows& rows, const char* name = "graph") const {
    Graph::build(rows.scan(), folder / name);
  }
  // From the graph "graph" of `before` to that of `after`.
  bool grow(const GrowingRows& before, const GrowingRows& after, const char* name = "graph") const {
    return grow_graph(folder / "graph", content_hash(folder / "graph"), before.scan(), after.scan(),
                      folder / name);
  }
  std::size_t nodes(const char* name = "graph") const {
    GraphHeader header{};
    std::memcpy(&header, read_file(folder / name).data(), sizeof header);
    return header.nodes;
  }

  Random random{6};
  const Scratch folder;
};

// Of queries near the rows and of others, the share of the nearest in full that the graph finds. It
// finds rows that are there, each once.
double recall(const Graph& graph, const GrowingRows& rows, std::uint64_t seed) {
  constexpr std::size_t kQueries = 100;
  Random random(seed);
  std::size_t right = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    const auto near = rows.vector(random.below(rows.size()));
    std::vector<float> query(near.begin(), near.end());
    const double noise = q % 2 == 0 ? 0.3 : 3;
    for (float& number : query) number += static_cast<float>(noise * random.normal());
    const std::vector<std::size_t> found = graph.nearest(query, candidates(kHits));
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), found.size());
    EXPECT_LT(std::ranges::max(found), rows.size());
    const auto hits = best_rows(found, rows.vectors, query, kHits);
    const auto exact = top_hits(rows.scan(), rows.vectors, query, kHits);
    std::set<std::size_t> best;
    for (const Hit& hit : exact[0]) best.insert(hit.image);
    for (const Hit& hit : hits) right += best.contains(hit.image) ? 1 : 0;
  }
  return static_cast<double>(right) / (kQueries * kHits);
}

TEST_F(GraphGrowthTest, WhereRowsComeBehindItIsTheGraphOfAll) {
  const GrowingRows all = drawn_rows(3 * GraphBuilder::kTogether - 100);
  const GrowingRows first = all.first(2 * GraphBuilder::kTogether);
  build(first);
  build(all, "whole");
  ASSERT_TRUE(grow(first, all));
  EXPECT_TRUE(read_file(folder / "graph") == read_file(folder / "whole"));
}

TEST_F(GraphGrowthTest, RowsInAnotherOrderAreNotLinkedAnew) {
  const GrowingRows before = drawn_rows(500);
  std::vector<std::size_t> backwards(before.size());
  std::iota(backwards.rbegin(), backwards.rend(), std::size_t{0});
  const GrowingRows after = before.some(backwards);
  build(before);
  ASSERT_TRUE(grow(before, after, "after"));
  const auto query = drawn();
  std::vector<std::size_t> one = open(before).nearest(query, 60);
  const std::vector<std::size_t> other = open(after, "after").nearest(query, 60);
  for (std::size_t& row : one) row = before.size() - 1 - row;
  EXPECT_EQ(one, other);
}

TEST_F(GraphGrowthTest, WhatGoesAndComesAgainIsFoundAsBefore) {
  const GrowingRows all = drawn_rows(1000);
  build(all);
  const std::string whole = read_file(folder / "graph");
  const GrowingRows fewer = all.first(800);
  ASSERT_TRUE(grow(all, fewer));
  EXPECT_EQ(nodes(), 1000U);
  EXPECT_GE(recall(open(fewer), fewer, 1), 0.99);
  ASSERT_TRUE(grow(fewer, all));
  EXPECT_TRUE(read_file(folder / "graph") == whole);
}

TEST_F(GraphGrowthTest, EachOfEqualRowsHasItsOwnNode) {
  GrowingRows before = drawn_rows(200);
  for (int i = 0; i < 40; ++i) before.add(before.vector(7));
  before.add(std::vector<float>(kGrowthDim));
  before.add(std::vector<float>(kGrowthDim));
  build(before);
  GrowingRows after = before.first(230);
  ASSERT_TRUE(grow(before, after));
  EXPECT_EQ(nodes(), 242U);
  const std::vector<std::size_t> found = open(after).nearest(after.vector(7), 31);
  for (std::size_t row = 200; row < 230; ++row) EXPECT_THAT(found, testing::Contains(row));
}

TEST_F(GraphGrowthTest, TooManyDeadAreNotWorthIt) {
  const GrowingRows all = drawn_rows(400);
  build(all);
  EXPECT_TRUE(grow(all, all.first(300), "enough"));
  EXPECT_FALSE(grow(all, all.first(299), "few"));
  EXPECT_FALSE(grow(all, GrowingRows{}, "few"));
  EXPECT_FALSE(fs::exists(folder / "few"));
}

// A tenth of the rows changes again and again. Now and then the graph is not worth it any more.
TEST_F(GraphGrowthTest, AfterManyChangesItFindsWhatANewOneFinds) {
  constexpr std::size_t kRows = 1200;
  GrowingRows rows = drawn_rows(kRows);
  build(rows);
  std::size_t fresh = 0;
  double lost = 0, least = 1;
  constexpr int kTurns = 9;
  for (int turn = 0; turn < kTurns; ++turn) {
    GrowingRows next;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::size_t what = random.below(30);
      if (what == 0) continue;                   // removed
      if (what == 1) next.add(drawn());          // one comes before it
      if (what > 2) next.add(rows.vector(row));  // stays
      if (what == 2) {                           // is another picture now
        std::vector<float> changed(rows.vector(row).begin(), rows.vector(row).end());
        for (float& number : changed) number += 0.2F * static_cast<float>(random.normal());
        next.add(changed);
      }
    }
    if (!grow(rows, next)) {
      build(next);
      ++fresh;
    }
    rows = std::move(next);
    build(rows, "fresh");
    const double grown = recall(open(rows), rows, 2), anew = recall(open(rows, "fresh"), rows, 2);
    lost += (anew - grown) / kTurns;
    least = std::min(least, grown);
  }
  EXPECT_GT(fresh, 0U);
  EXPECT_LT(fresh, 6U);
  EXPECT_LE(lost, 0.002);
  EXPECT_GE(least, 0.98);
}

TEST_F(GraphGrowthTest, TheSameHistoryGivesTheSameFileOnAnyNumberOfThreads) {
  const GrowingRows all = drawn_rows(3000);
  std::vector<std::size_t> odd;
  for (std::size_t row = 1; row < 3000; row += row < 1000 ? 2 : 1) odd.push_back(row);
  const GrowingRows first = all.first(1600), second = all.some(odd);
  const int threads = thread_count();
  std::set<std::string> files;
  for (const int count : {1, 2, 3}) {
    set_thread_count(count);
    build(first);
    ASSERT_TRUE(grow(first, second));
    ASSERT_TRUE(grow(second, all));
    files.insert(content_hash(folder / "graph"));
  }
  set_thread_count(threads);
  EXPECT_EQ(files.size(), 1U);
}

// A hash that fits does not make the rows of nodes sound.
TEST_F(GraphGrowthTest, RowsWithoutANodeAndNodesOfTwoRowsAreRefused) {
  const GrowingRows all = drawn_rows(40), rows = all.first(35);
  build(all);
  ASSERT_TRUE(grow(all, rows));
  const std::string whole = read_file(folder / "graph");
  const GraphLayout layout(std::as_bytes(std::span(whole)), rows.size(), kGrowthDim, "graph");
  const auto with_label = [&](std::size_t node, std::uint64_t label) {
    std::string altered = whole;
    std::memcpy(altered.data() + layout.label_place(node), &label, sizeof label);
    write_file(folder / "graph", altered);
  };
  const auto refused = ThrowsMessage<InputError>(HasSubstr("is no graph of the index's images"));
  for (const std::uint64_t label : {std::uint64_t{4}, std::uint64_t{37}, std::uint64_t{40},
                                    ~std::uint64_t{0}, std::uint64_t{1} << 32U}) {
    with_label(3, label);
    EXPECT_THAT([&] { open(rows); }, refused) << label;
  }
  with_label(3, 3);
  EXPECT_NO_THROW(open(rows));
  EXPECT_THAT([&] { open(drawn_rows(41)); }, refused);  // more rows than nodes
}

// A graph without numbers, opened over codes.
class LinksGrowthTest : public GraphGrowthTest {
 protected:
  void build_links(const GrowingRows& rows, const char* name = "graph") const {
    Graph::build(rows.scan(), folder / name, GraphNumbers::left_out);
  }
  bool grow_to(const GrowingRows& before, const GrowingRows& after,
               const char* name = "grown") const {
    return grow_links(folder / "graph", content_hash(folder / "graph"), before.vectors,
                      after.vectors, after.scan(), folder / name);
  }
  // As recall() above, of the rows themselves.
  double found(const GrowingRows& rows, const char* name) {
    write_codes(folder / "codes", rows.vectors, kGrowthDim, 1, 4, false);
    const CodeFile codes(folder / "codes", rows.size(), kGrowthDim, 1, 4, false);
    const Graph graph = Graph::open(folder / name, content_hash(folder / name), codes.scan(0));
    Random random(8);
    std::size_t right = 0;
    constexpr std::size_t kQueries = 100;
    for (std::size_t q = 0; q < kQueries; ++q) {
      const std::size_t row = random.below(rows.size());
      const auto query = rows.vector(row);
      const auto hits = best_found(codes.scan(0), graph.nearest(query, candidates(kHits, 4)),
                                   rows.vectors, query, kHits);
      const auto exact = top_hits(rows.scan(), rows.vectors, query, kHits);
      std::set<std::size_t> best;
      for (const Hit& hit : exact[0]) best.insert(hit.image);
      for (const Hit& hit : hits) right += best.contains(hit.image) ? 1 : 0;
    }
    return static_cast<double>(right) / (kQueries * kHits);
  }
};

TEST_F(LinksGrowthTest, WhereRowsComeBehindItIsTheGraphOfAll) {
  const GrowingRows all = drawn_rows(3 * GraphBuilder::kTogether - 100);
  const GrowingRows first = all.first(2 * GraphBuilder::kTogether);
  build_links(first);
  build_links(all, "whole");
  ASSERT_TRUE(grow_to(first, all));
  EXPECT_EQ(read_file(folder / "grown"), read_file(folder / "whole"));
}

TEST_F(LinksGrowthTest, RowsComeAndGoAnywhere) {
  GrowingRows before = drawn_rows(3000), after;
  build_links(before);
  for (std::size_t row = before.size(); row-- > 0;) {  // in another order
    if (row % 7 == 0) continue;
    const auto vector = before.vector(row);
    after.add({vector.begin(), vector.end()});
    if (row % 10 == 0) after.add(drawn());
  }
  ASSERT_TRUE(grow_to(before, after));
  EXPECT_EQ(nodes("grown"), after.size());
  EXPECT_GE(found(after, "grown"), 0.97);
  const int threads = thread_count();
  for (const int count : {1, 3}) {
    set_thread_count(count);
    ASSERT_TRUE(grow_to(before, after, "again"));
    EXPECT_EQ(read_file(folder / "grown"), read_file(folder / "again")) << count;
  }
  set_thread_count(threads);
}

TEST_F(LinksGrowthTest, CopiesHaveEachTheirNode) {
  GrowingRows before = drawn_rows(2000), after;
  for (std::size_t row = 0; row < 10; ++row) {
    const auto vector = before.vector(0);
    before.add({vector.begin(), vector.end()});
  }
  build_links(before);
  for (std::size_t row = 5; row < before.size(); ++row) {
    const auto vector = before.vector(row);
    after.add({vector.begin(), vector.end()});
  }
  ASSERT_TRUE(grow_to(before, after));
  EXPECT_EQ(nodes("grown"), after.size());
  write_codes(folder / "codes", after.vectors, kGrowthDim, 1, 4, false);
  const CodeFile codes(folder / "codes", after.size(), kGrowthDim, 1, 4, false);
  EXPECT_NO_THROW(Graph::open(folder / "grown", content_hash(folder / "grown"), codes.scan(0)));
}

TEST_F(LinksGrowthTest, WhatLosesAQuarterIsBuiltAnew) {
  const GrowingRows before = drawn_rows(2000);
  build_links(before);
  EXPECT_TRUE(grow_to(before, before.first(1500)));
  EXPECT_FALSE(grow_to(before, before.first(1499), "less"));
  EXPECT_FALSE(std::filesystem::exists(folder / "less"));
}

}  // namespace
}  // namespace hinny

#include "index/vectors/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <numeric>
#include <set>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "base/threads.h"
#include "index/vectors/code_file.h"
#include "index/vectors/graph_layout.h"
#include "index/vectors/scan.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kGraphDim = 24;
constexpr std::size_t kGraphRows = 3000;

class GraphTest : public testing::Test {
 protected:
  void SetUp() override {
    Random random(6);
    for (std::size_t i = 0; i < kGraphRows * kGraphDim; ++i) {
      vectors.push_back(static_cast<float>(random.normal()));
    }
    bytes.resize(vectors.size());
    for (std::size_t i = 0; i < vectors.size(); i += kGraphDim) {
      scales.push_back(to_int8(std::span(vectors).subspan(i, kGraphDim),
                               std::span(bytes).subspan(i, kGraphDim)));
    }
    Graph::build(scan(), file);
  }
  Matrix scan(std::size_t rows = kGraphRows) const {
    return {TensorType::int8, std::as_bytes(std::span(bytes)).data(), rows, kGraphDim,
            std::span(scales).first(rows)};
  }
  std::vector<float> vectors;
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;
  const Scratch folder;
  const std::filesystem::path file = folder / "graph";
};

TEST_F(GraphTest, FindsWhatTheScanFinds) {
  const Graph graph = Graph::open(file, content_hash(file), scan());
  constexpr std::size_t kHits = 10;
  std::size_t right = 0;
  for (std::size_t q = 0; q < 50; ++q) {
    const auto query = std::span(vectors).subspan(q * 31 * kGraphDim, kGraphDim);
    const auto exact = top_hits(scan(), vectors, query, kHits);
    std::set<std::size_t> best;
    for (const Hit& hit : exact[0]) best.insert(hit.image);
    const auto hits = best_rows(graph.nearest(query, candidates(kHits)), vectors, query, kHits);
    ASSERT_EQ(hits.size(), kHits);
    for (const Hit& hit : hits) right += best.contains(hit.image) ? 1 : 0;
  }
  EXPECT_GE(right, 50 * kHits * 99 / 100);
}

// A graph without numbers walks by the codes, which are looked at in full at its end.
TEST_F(GraphTest, OverCodesFindsWhatAllWouldFind) {
  Graph::build(scan(), folder / "links", GraphNumbers::left_out);
  EXPECT_LT(std::filesystem::file_size(folder / "links"),
            std::filesystem::file_size(file) - kGraphRows * kGraphDim);
  for (const int bits : kCodeBits) {
    const std::filesystem::path path = folder / "codes";
    write_codes(path, vectors, kGraphDim, 1, bits, false);
    const CodeFile codes(path, kGraphRows, kGraphDim, 1, bits, false);
    const Scan coded = codes.scan(0);
    const Graph graph = Graph::open(folder / "links", content_hash(folder / "links"), coded);
    constexpr std::size_t kHits = 10;
    std::size_t right = 0;
    for (std::size_t q = 0; q < 50; ++q) {
      const auto query = std::span(vectors).subspan(q * 31 * kGraphDim, kGraphDim);
      std::vector<std::size_t> all(kGraphRows);
      std::iota(all.begin(), all.end(), std::size_t{0});
      std::set<std::size_t> best;
      for (const Hit& hit : best_rows(all, vectors, query, kHits)) best.insert(hit.image);
      const auto found = graph.nearest(query, candidates(kHits, bits == 1 ? 2 : bits));
      const auto hits = best_found(coded, found, vectors, query, kHits);
      ASSERT_EQ(hits.size(), kHits);
      for (const Hit& hit : hits) right += best.contains(hit.image) ? 1 : 0;
    }
    EXPECT_GE(right, 50 * kHits * 97 / 100) << bits;
  }
}

TEST_F(GraphTest, OneWithNumbersIsNoneOfCodesAndTheOtherWayRound) {
  const auto refused = [&](const std::filesystem::path& path, const Scan& scan) {
    EXPECT_THAT([&] { Graph::open(path, content_hash(path), scan); },
                ThrowsMessage<InputError>(HasSubstr("is no graph of the index's images")));
  };
  Graph::build(scan(), folder / "links", GraphNumbers::left_out);
  refused(folder / "links", scan());
  write_codes(folder / "codes", vectors, kGraphDim, 1, 2, false);
  const CodeFile codes(folder / "codes", kGraphRows, kGraphDim, 1, 2, false);
  refused(file, codes.scan(0));
  Graph::build(scan(kGraphRows - 1), folder / "fewer", GraphNumbers::left_out);
  refused(folder / "fewer", codes.scan(0));
  Graph::build(scan(), folder / "more", GraphNumbers::left_out);
  write_codes(folder / "less", std::span(vectors).first(kGraphDim * (kGraphRows - 1)), kGraphDim, 1,
              2, false);
  const CodeFile less(folder / "less", kGraphRows - 1, kGraphDim, 1, 2, false);
  refused(folder / "more", less.scan(0));
}

TEST_F(GraphTest, TheSameRowsGiveTheSameFileOnAnyNumberOfThreads) {
  const int threads = thread_count();
  for (const int count : {1, 3}) {
    set_thread_count(count);
    Graph::build(scan(), folder / "again");
    EXPECT_EQ(content_hash(file), content_hash(folder / "again")) << count;
  }
  set_thread_count(threads);
}

// Pictures taken one after the other: every one of them can be found, though all that come together
// are nearer to each other than to anything that is linked already.
TEST_F(GraphTest, FindsEachOfManyNearCopies) {
  constexpr std::size_t kCopies = 20;
  Random random(8);
  for (std::size_t row = 0; row < kGraphRows; ++row) {
    const std::size_t original = row - row % kCopies;
    for (std::size_t d = 0; d < kGraphDim; ++d) {
      vectors[row * kGraphDim + d] =
          vectors[original * kGraphDim + d] + 0.05F * static_cast<float>(random.normal());
    }
    const std::size_t place = row * kGraphDim;
    scales[row] = to_int8(std::span(vectors).subspan(place, kGraphDim),
                          std::span(bytes).subspan(place, kGraphDim));
  }
  Graph::build(scan(), file);
  const Graph graph = Graph::open(file, content_hash(file), scan());
  std::size_t found = 0;
  for (std::size_t row = 0; row < kGraphRows; ++row) {
    const auto near =
        graph.nearest(std::span(vectors).subspan(row * kGraphDim, kGraphDim), candidates(1));
    found += std::ranges::find(near, row) != near.end() ? 1 : 0;
  }
  EXPECT_GE(found, kGraphRows * 999 / 1000);
}

TEST_F(GraphTest, AnotherFileOrOtherRowsAreRefused) {
  EXPECT_THAT([&] { Graph::open(file, "0123", scan()); },
              ThrowsMessage<InputError>(HasSubstr("is not the graph that belongs to this index")));
  EXPECT_THAT([&] { Graph::open(folder / "none", "0123", scan()); },
              ThrowsMessage<InputError>(HasSubstr("none")));
  Graph::build(scan(kGraphRows - 1), file);
  EXPECT_THAT([&] { Graph::open(file, content_hash(file), scan()); },
              ThrowsMessage<InputError>(HasSubstr("is no graph of the index's images")));
}

// A hash that fits does not make a graph sound.
TEST_F(GraphTest, WhatIsNotSoundIsRefused) {
  const std::string whole = read_file(file);
  const GraphLayout layout(std::as_bytes(std::span(whole)), kGraphRows, kGraphDim, file);
  const auto refused = [&](std::size_t place, std::uint32_t value) {
    std::string altered = whole;
    std::memcpy(altered.data() + place, &value, sizeof value);
    write_file(file, altered);
    EXPECT_THAT([&] { Graph::open(file, content_hash(file), scan()); },
                ThrowsMessage<InputError>(HasSubstr("is no graph of the index's images")))
        << value << " at " << place;
  };
  std::size_t upper = 0;  // a row of a level above the lowest, and one of the lowest alone
  while (layout.level(upper) == 0) ++upper;
  std::size_t lowest = 0;
  while (layout.level(lowest) > 0) ++lowest;
  ASSERT_FALSE(layout.links(0, 0).empty());
  ASSERT_FALSE(layout.links(upper, 1).empty());
  refused(layout.links_place(0, 0), kLowestLinks + 1);
  refused(layout.links_place(0, 0) + 4, kGraphRows);
  refused(layout.links_place(upper, 1), kLinks + 1);
  refused(layout.links_place(upper, 1) + 4, kGraphRows);
  refused(layout.links_place(upper, 1) + 4, static_cast<std::uint32_t>(lowest));
  refused(layout.label_place(5), 6);
  refused(layout.upper_place(upper), 0);
  refused(layout.upper_place(upper), 3);
  refused(offsetof(GraphHeader, entry), kGraphRows);
  refused(offsetof(GraphHeader, entry), static_cast<std::uint32_t>(lowest));
  refused(offsetof(GraphHeader, levels), 0);
  refused(offsetof(GraphHeader, nodes), kGraphRows - 1);
  refused(offsetof(GraphHeader, record), 8);
}

TEST_F(GraphTest, DamageIsRefusedOrHarmless) {
  const std::string whole = read_file(file);
  Random random(7);
  int opened = 0;
  for (int i = 0; i < 200; ++i) {
    std::string altered = whole;
    const bool cut = i % 4 == 0;
    if (cut) altered.resize(random.below(altered.size()));
    // Mostly in what tells the sizes, and in the links on upper levels at the end.
    for (int flip = 0; flip < 3 && !altered.empty(); ++flip) {
      const std::size_t reach =
          i % 2 == 0 ? std::min<std::size_t>(96, altered.size()) : altered.size();
      altered[random.below(reach)] ^= static_cast<char>(1U << random.below(8));
    }
    std::ofstream(file, std::ios::binary) << altered;
    try {
      const Graph graph = Graph::open(file, content_hash(file), scan());
      EXPECT_FALSE(cut) << "number " << i;
      const auto near = graph.nearest(std::span(vectors).first(kGraphDim), 50);
      const std::set<std::size_t> rows(near.begin(), near.end());
      EXPECT_TRUE(!near.empty() && near.size() <= 50 && rows.size() == near.size()) << near.size();
      EXPECT_LT(*rows.rbegin(), kGraphRows);
      ++opened;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is no graph of the index's images"));
    }
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 150);
}

}  // namespace
}  // namespace hinny

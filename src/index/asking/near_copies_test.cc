// Near copies against every pair compared in full.
#include "index/asking/near_copies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/threads.h"
#include "index/folder/vectors_index_fixture.h"
#include "retrieval/dot_kernels.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::size_t kRows = 3000;

struct Stored {
  std::size_t dim;
  int codes;
};

class NearCopies : public testing::TestWithParam<Stored> {
 protected:
  void make(bool hubs) {
    made.dim = GetParam().dim;
    made.codes = GetParam().codes;
    made.vectors = clustered_vectors(kRows, made.dim, 5);
    // The borders are what rounding could get wrong: cosines a little above and below.
    Random random(6);
    for (std::size_t row = 3; row < kRows; row += 10) place_beside(row, random);
    if (hubs) {
      for (std::size_t i = 0; i < kRows; ++i) {
        made.penalties.push_back(static_cast<float>(random.uniform(-0.3, 0)));
      }
    }
    made.write(folder / "index");
  }

  // Makes a row's cosine with the one before it nearly kNearCopies.
  void place_beside(std::size_t row, Random& random) {
    float* to = &made.vectors[row * made.dim];
    const float* from = to - made.dim;
    std::vector<double> side(made.dim);
    double along = 0, squares = 0;
    for (std::size_t d = 0; d < made.dim; ++d) {
      side[d] = random.normal();
      along += side[d] * from[d];
    }
    for (std::size_t d = 0; d < made.dim; ++d) {
      side[d] -= along * from[d];
      squares += side[d] * side[d];
    }
    const double cosine = static_cast<double>(kNearCopies) + random.uniform(-0.002, 0.002);
    const double rest = std::sqrt((1 - cosine * cosine) / squares);
    for (std::size_t d = 0; d < made.dim; ++d) {
      to[d] = static_cast<float>(cosine * from[d] + rest * side[d]);
    }
  }

  bool near(std::size_t a, std::size_t b) const {
    float product = 0;
    dot_kernels().f32(&made.vectors[a * made.dim], 1, made.dim, &made.vectors[b * made.dim], 1,
                      &product);
    return product >= kNearCopies;
  }
  std::vector<std::pair<std::size_t, std::size_t>> by_hand(
      std::span<const std::size_t> originals, std::span<const std::size_t> images) const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t image : images) {
      for (std::size_t i = 0; i < originals.size(); ++i) {
        if (!near(originals[i], image)) continue;
        pairs.emplace_back(image, i);
        break;
      }
    }
    return pairs;
  }

  const Scratch folder;
  VectorsIndex made;
};

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::span<const NearCopy> copies) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const NearCopy& copy : copies) pairs.emplace_back(copy.image, copy.original);
  return pairs;
}

TEST_P(NearCopies, AreThoseOfAllPairsComparedInFull) {
  for (const bool hubs : {false, true}) {
    made = {};
    make(hubs);
    const Index index = Index::open(folder / "index");
    std::vector<std::size_t> chosen[2];
    for (std::size_t i = 0; i < kRows; i += 7) chosen[0].push_back(i);
    for (std::size_t i = 2; i < 100; i += 10) chosen[1].push_back(i);
    Originals one(index, "image"), two(index, "image");
    for (const std::size_t image : chosen[0]) one.add(image);
    for (const std::size_t image : chosen[1]) two.add(image);
    const Originals none(index, "image");
    const std::vector<const Originals*> groups = {&one, &none, &two};
    RowMask some(kRows, true);
    some.keep_if(0, kRows, [](std::size_t row) { return row % 3 != 0 || row > 2000; });
    const RowMask all(kRows, true);
    const int threads = thread_count();
    for (const RowMask* mask : std::initializer_list<const RowMask*>{nullptr, &all, &some}) {
      const auto images = (mask == nullptr ? all : *mask).listed();
      for (const int count : {1, 3}) {
        set_thread_count(count);
        const auto copies = near_copies(groups, mask);
        EXPECT_EQ(pairs_of(copies[0]), by_hand(chosen[0], images));
        EXPECT_TRUE(copies[1].empty());
        EXPECT_EQ(pairs_of(copies[2]), by_hand(chosen[1], images));
        EXPECT_GT(copies[0].size(), images.size() / 10);
        EXPECT_EQ(pairs_of(one.copies_among(images)), by_hand(chosen[0], images));
      }
    }
    set_thread_count(threads);
    for (std::size_t image = 0; image < 200; ++image) {
      const auto wanted = by_hand(chosen[1], std::vector{image});
      const auto found = two.original_of(image);
      ASSERT_EQ(found.has_value(), !wanted.empty());
      EXPECT_EQ(found.value_or(0), wanted.empty() ? 0 : wanted.front().second);
    }
  }
}

// All are copies of all: no part of the vectors rules any pair out.
TEST_P(NearCopies, OfOnePictureAgainAndAgain) {
  make(false);
  for (std::size_t i = made.dim; i < made.vectors.size(); ++i) {
    made.vectors[i] = made.vectors[i - made.dim];
  }
  made.write(folder / "again");
  const Index index = Index::open(folder / "again");
  Originals one(index, "image");
  for (std::size_t i = 10; i < 30; ++i) one.add(i);
  const Originals* const all = &one;
  const auto copies = near_copies({&all, 1}, nullptr).front();
  ASSERT_EQ(copies.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(copies[i].image, i);
    EXPECT_EQ(copies[i].original, 0U);
  }
}

// By all of their numbers, by a part first, and by codes.
INSTANTIATE_TEST_SUITE_P(Dims, NearCopies,
                         testing::Values(Stored{24, kInt8}, Stored{300, kInt8}, Stored{24, 1},
                                         Stored{300, 1}, Stored{300, 2}, Stored{300, 4}),
                         [](const auto& info) {
                           return fmt::format("of{}in{}", info.param.dim, info.param.codes);
                         });

}  // namespace
}  // namespace hinny

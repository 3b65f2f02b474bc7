// Index::search among some of the images, by scan and by graph.
#include <gtest/gtest.h>

#include <cmath>

#include "index/folder/index.h"
#include "index/folder/vectors_index_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using MethodAndBits = std::pair<Method, int>;

class FilteredSearch : public testing::TestWithParam<MethodAndBits> {
 protected:
  static constexpr std::size_t kRows = 6000;
  static constexpr std::size_t kDim = 24;

  FilteredSearch() {
    made.dim = kDim;
    made.vectors = clustered_vectors(kRows, kDim, 3);
    made.codes = GetParam().second;
    made.write(folder / "index", true);
  }
  std::vector<Hit> by_hand(const Query& query, std::size_t k, const RowMask& mask) const {
    return best_rows(mask.listed(), made.vectors, query.vector, k);
  }

  const Scratch folder;
  VectorsIndex made;
};

std::vector<std::size_t> images_of(std::span<const Hit> hits) {
  std::vector<std::size_t> images;
  for (const Hit& hit : hits) images.push_back(hit.image);
  return images;
}

TEST_P(FilteredSearch, FindsTheBestOfThoseThatAreLeft) {
  const Index index = Index::open(folder / "index", GetParam().first);
  Random random(4);
  std::size_t right = 0, all = 0;
  for (const double share : {1.0, 0.7, 0.3, 0.1, 0.02, 0.001}) {
    RowMask mask(kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      if (random.uniform(0, 1) < share) mask.add(row);
    }
    std::vector<Query> queries;
    for (const std::size_t image : {5U, 17U, 5000U}) {
      queries.push_back({index.contents().model, "image", index.vector(image, "image"), false, {}});
    }
    for (const std::size_t k : {1U, 10U, 300U, 6000U}) {
      const auto found = index.search(queries, k, &mask);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const auto wanted = images_of(by_hand(queries[q], k, mask));
        const auto images = images_of(found[q]);
        ASSERT_EQ(images.size(), wanted.size()) << share << ' ' << k;
        for (const std::size_t image : images) EXPECT_TRUE(mask[image]);
        if (k == kRows) {
          EXPECT_EQ(images, wanted) << "compared in full";
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) right += images[i] == wanted[i] ? 1 : 0;
        all += wanted.size();
      }
    }
  }
  EXPECT_GT(static_cast<double>(right), 0.999 * static_cast<double>(all));
}

// None of those that lie next to the question is left, so a graph alone would find nothing.
TEST_P(FilteredSearch, WhereNothingNearIsLeft) {
  const Index index = Index::open(folder / "index", GetParam().first);
  const Query query{index.contents().model, "image", index.vector(9, "image"), false, {}};
  RowMask far(kRows, true);
  for (const Hit& hit : by_hand(query, kRows / 2, RowMask(kRows, true))) far.remove(hit.image);
  const auto found = index.search(std::span(&query, 1), 10, &far).front();
  EXPECT_EQ(images_of(found), images_of(by_hand(query, 10, far)));
}

std::string name_of_method(const testing::TestParamInfo<MethodAndBits>& info) {
  return fmt::format("{}Of{}Bits", info.param.first == Method::scan ? "Scan" : "Graph",
                     info.param.second);
}
INSTANTIATE_TEST_SUITE_P(Methods, FilteredSearch,
                         testing::Values(MethodAndBits{Method::scan, kInt8},
                                         MethodAndBits{Method::graph, kInt8},
                                         MethodAndBits{Method::scan, 4},
                                         MethodAndBits{Method::graph, 4}),
                         name_of_method);

}  // namespace
}  // namespace hinny

// Scores of sentences with the regions of an index's pictures, and explanations of a score.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/asking/explanation.h"
#include "index/folder/index.h"

namespace hinny {

// Scores of these pictures with the query's sentences, without corrections: each the mean of the
// sentences' scores, weighted. For an index that attends(). Memory stays at a block of pictures.
std::vector<float> region_scores(const Index& index, const Query& query,
                                 std::span<const std::size_t> images);

// Of these pictures the k that fit best, best first, equal scores by position. Of a corrected query
// the order is that of corrected scores, as in Index::search.
std::vector<Hit> hits_by_regions(const Index& index, const Query& query,
                                 std::span<const std::size_t> images, std::size_t k);

// A sentence's score with the regions of one picture, [regions, dim].
float region_score(const Index& index, const EncodedText& sentence, std::span<const float> regions);

// Which words and regions carried a sentence's score with a picture. Throws RequestError for an
// index whose pictures have no regions.
Explanation explain(const Index& index, const EncodedText& sentence, std::size_t image);

// The cells that the regions are: of features whose name says "grid4x4".
std::optional<Grid> grid_of(const Index& index);
std::optional<Grid> grid_named(std::string_view features, std::size_t regions);

}  // namespace hinny

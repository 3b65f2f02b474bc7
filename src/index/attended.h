// Sentences against the regions of an index's pictures: scores, and what carried one.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.h"

namespace hinny {

// Of these pictures the k that fit best, best first, equal scores by position. A picture's score is
// the mean of the sentences' scores, weighted. For an index that attends(). Memory stays at a block
// of pictures.
std::vector<Hit> attended_hits(const Index& index, std::span<const Query::Sentence> sentences,
                               std::span<const std::size_t> images, std::size_t k);

// A sentence's score with the regions of one picture, [regions, dim].
float attended_score(const Index& index, const EncodedText& sentence,
                     std::span<const float> regions);

// Which words and regions carried a score. Shares, 1 altogether.
struct Explanation {
  struct Word {
    std::string text;  // "" for a marker
    float share = 0;
    std::vector<float> regions;  // its share, divided; empty when words and regions do not meet
  };
  std::vector<Word> words;
  std::vector<float> regions;
};

// Throws InputError for an index whose pictures have no regions.
Explanation explain(const Index& index, const EncodedText& sentence, std::size_t image);

// Rows and columns of the cells that the regions are, in reading order: of features whose name
// says "grid4x4".
struct Grid {
  std::size_t rows = 0, columns = 0;
};
std::optional<Grid> grid_of(const Index& index);
std::optional<Grid> grid_named(std::string_view features, std::size_t regions);

// {"words": [{"word", "share", "regions"}], "regions": [...], "grid": [rows, columns]}
nlohmann::ordered_json as_json(const Explanation& explanation, const std::optional<Grid>& grid);

}  // namespace hinny

// Which words and regions contributed how much to a score.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hinny {

// Rows and columns of the cells that regions are, in reading order.
struct Grid {
  std::size_t rows = 0, columns = 0;
};

// Which words and regions carried a score. Shares, 1 altogether.
struct Explanation {
  struct Word {
    std::string text;  // "" for a marker
    float share = 0;
    std::vector<float> regions;  // its share, divided; empty when words and regions do not meet
  };
  std::vector<Word> words;
  std::vector<float> regions;
  std::optional<Grid> grid;  // where the regions are cells of the picture
};

// {"words": [{"word", "share", "regions"}], "regions": [...], "grid": [rows, columns]}
nlohmann::ordered_json as_json(const Explanation& explanation);

}  // namespace hinny

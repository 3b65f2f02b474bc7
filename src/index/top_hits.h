// Exact search: the rows of a matrix with the largest dot products.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "index/index.h"

namespace hinny {

// `vectors` [rows, query.size()]. The k best, best first, equal scores by row; a row whose score
// is NaN is left out. The result does not depend on the number of threads.
std::vector<Hit> top_hits(std::span<const float> vectors, std::span<const float> query,
                          std::size_t k);

}  // namespace hinny

// An encoded question -> the images of an index, best first.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "index/asking/ask.h"
#include "index/asking/read_question.h"
#include "index/folder/index.h"

namespace hinny {

// The images that a filter leaves; null: all.
using Among = const RowMask*;

// A question with all that was read for it.
struct Prepared {
  std::vector<ReadPart> parts;
  Query query;
  std::optional<Query> for_reranker;  // as the re-ranking model reads it, where there is one
  std::optional<Fit> fit{};           // what its scores say, where that is known
};

// Whether words are compared with regions for it: then only a shortlist of images gets scores.
bool compares_regions(const Index& index, const Prepared& prepared);

// All of the shortlist, which is of `least` images or more where there are so many.
std::vector<Hit> compared_hits(const Index& index, const Prepared& prepared, const Question& shared,
                               const AskHelp& help, Among among, std::size_t least);

// For each of these questions, which are of one space, its k best, and maybe a few more that were
// looked at. Throws RequestError for a shortlist that this model has no use for.
std::vector<std::vector<Hit>> ranked_hits(const Index& index,
                                          std::span<const Prepared* const> asked,
                                          const Question& shared, const AskHelp& help, Among among,
                                          std::size_t k);

}  // namespace hinny

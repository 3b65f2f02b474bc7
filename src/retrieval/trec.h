// Rankings for other programs to measure: TREC's run files and qrels, as trec_eval, ir_measures and
// ranx read them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "retrieval/score_matrix.h"

namespace hinny {

constexpr std::size_t kTrecDepth = 100;  // candidates of a query

// `id` as a field of these files, which end at white space: blanks of any script, control and
// zero-width characters, and '%' are %XX for each of their bytes, as in an address. Different ids
// have different names.
std::string trec_name(std::string_view id);

struct TrecNames {
  std::span<const std::string> images, captions;  // trec_name of rows and columns
  std::string run;                                // what the ranking is of, likewise
};

// Writes PREFIX.t2i.run and PREFIX.i2t.run: "query Q0 candidate rank score run", best first, the
// kTrecDepth best of each query; and PREFIX.t2i.qrels and PREFIX.i2t.qrels: "query 0 candidate 1".
// Images without a caption are no queries. Equal scores stand as recall has them: what is wrong
// before what is right (retrieval/recall.h), and NaN counts against the query: first, last. Since
// trec_eval passes over the rank and sorts by the scores, as float32, each is written as the next
// lower number where it would not be below the one before it.
void write_trec(const ScoreMatrix& scores, std::span<const int> image_of_caption,
                const TrecNames& names, const std::filesystem::path& prefix);

}  // namespace hinny

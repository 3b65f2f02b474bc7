// Rankings for other programs to measure: TREC's run files and qrels, as trec_eval, ir_measures and
// ranx read them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "retrieval/score_matrix.h"

namespace hinny {

constexpr std::size_t kTrecDepth = 100;  // candidates of a query

struct TrecNames {
  std::span<const std::string> images, captions;  // ids of rows and columns, without blanks
  std::string run;                                // what the ranking is of
};

// Writes PREFIX.t2i.run and PREFIX.i2t.run: "query Q0 candidate rank score run", best first, the
// kTrecDepth best of each query; and PREFIX.t2i.qrels and PREFIX.i2t.qrels: "query 0 candidate 1".
// Images without a caption are no queries. NaN scores stand last. Equal scores stand as recall has
// them: what is wrong before what is right (retrieval/recall.h).
void write_trec(const ScoreMatrix& scores, std::span<const int> image_of_caption,
                const TrecNames& names, const std::filesystem::path& prefix);

}  // namespace hinny

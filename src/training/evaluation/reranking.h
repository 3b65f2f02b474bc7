// Re-ranking: the best that one system finds, ordered by the scores of it and a second one.
#pragma once

#include <cstddef>

#include "retrieval/recall.h"
#include "training/evaluation/evaluate.h"

namespace hinny {

// Recall when each query's best `candidates` by `first` are ordered by its score and that of
// `second`, by the latter's rerank.weight, and all others stand behind them. Both were opened on
// the same dataset and languages; their features may differ. Parameters are those of both. Throws
// InputError when they do not have features of the same images.
RecallTable evaluate_reranked(Experiment& first, Experiment& second, std::size_t candidates,
                              const EvaluationOptions& options);

}  // namespace hinny

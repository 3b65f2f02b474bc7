// What an engine finds, with a film as one result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "index/asking/engine.h"

namespace hinny {

// The results of this query as `shared` wants them (Question::each_frame). An engine knows frames
// alone: where films take so many of the first places that fewer than k results are left, it is
// asked for more. Throws as Engine::nearest.
std::vector<Found> engine_results(const Engine& engine, const Query& query, const Question& shared,
                                  std::span<const std::string> known);

}  // namespace hinny

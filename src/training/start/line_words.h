// Where a language that is learnt from lines alone starts: at what the pivot says in them.
#pragma once

#include "training/experiment/experiment.h"

namespace hinny {

// Of a trained system: the language that is added, the data's only one, reads as the pivot of the
// parallel lines does, and each of its words starts as the mean of the pivot's words in the lines
// that say it. Leaves the start as it is where the pivot has no table of words of its own.
void start_from_pivot(RetrievalSystem& system, const PreparedData& data);

}  // namespace hinny

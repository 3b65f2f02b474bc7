// Where a language that is learnt from parallel sentences alone starts: at the pivot's words.
#pragma once

#include "training/experiment/experiment.h"

namespace hinny {

// In a trained system the language that is added, the data's only one, is encoded as the pivot of
// the parallel sentences is, and each of its words starts as the mean of the pivot's words in the
// sentences that contain it. Leaves the start as it is where the pivot has no table of words of its
// own.
void start_from_pivot(RetrievalSystem& system, const PreparedData& data);

}  // namespace hinny

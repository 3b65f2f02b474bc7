// The bank of training captions and pictures by which a model corrects hubness (retrieval/hubs.h).
#pragma once

#include "retrieval/hubs.h"
#include "training/experiment/experiment.h"

namespace hinny {

// Vectors of hubs.size training captions, in all languages of a space together, and of as many
// training pictures, drawn by the seed; by the system as it is, which is left in evaluation mode.
HubBank remember_hubs(Experiment& experiment);

}  // namespace hinny

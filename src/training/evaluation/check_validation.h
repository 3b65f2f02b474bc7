// What validation needs, looked at before the first batch.
#pragma once

#include "training/experiment/prepared_data.h"

namespace hinny {

// Whether there is something to validate on. Lines alone teach without pictures to be judged by.
bool can_validate(const Dataset& dataset, const Features& features, bool sentences_alone);

// Throws InputError where validating would: when the split "val" has no image with features, or no
// caption in a language that is spoken; and for a train.best_by that is not among these languages.
void check_validation(const SelectedData& data);

}  // namespace hinny

// Captions with a word of their own before them, which stands for what no vocabulary holds.
#pragma once

#include "nn/caption_batch.h"

namespace hinny {

// Each caption `times` times, one after the other; before its words, an id of its own from
// `first_id` on.
CaptionBatch repeated_after(const CaptionBatch& captions, std::int64_t times,
                            std::int64_t first_id);
// Before each caption's words an id of its own from `first_id` on, in place of its last word.
CaptionBatch shifted(const CaptionBatch& captions, std::int64_t first_id);

}  // namespace hinny

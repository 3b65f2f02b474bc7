// `hinny eval RUN --against RUN2`.
#pragma once

#include "retrieval/paired_comparison.h"
#include "training/start/open_experiment.h"

namespace hinny {

// Both runs on the captions of `options.split`, in the languages that are asked for, else in those
// that both know; says on stderr which are left out. Throws InputError when RUN2 is a translator,
// or lacks a language that is asked for, or they have none in common.
PairedTable measure_against(const std::filesystem::path& run, const std::filesystem::path& other,
                            const std::filesystem::path& data, OpenOptions options);

}  // namespace hinny

// A split's rankings as TREC files.
#pragma once

#include <filesystem>
#include <string>

#include "training/experiment/experiment.h"

namespace hinny {

// PREFIX.LANGUAGE.t2i.run and so on (retrieval/trec.h) in each language of the experiment's
// dataset. A caption is called by its image, '#' and its place among the image's in that language;
// blanks in ids become '_'. `run` names the ranking. Throws as SplitScorer, and InputError where
// two ids become one.
void write_rankings(Experiment& experiment, const std::string& split, const std::string& run,
                    const std::filesystem::path& prefix);

}  // namespace hinny

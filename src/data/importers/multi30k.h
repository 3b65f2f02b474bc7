// Multi30K's layout, task 1 (translations) and task 2 (independent captions):
// docs/formats/imports.md.
#pragma once

#include <filesystem>

#include "data/importers/import_writer.h"

namespace hinny {

struct Multi30kOptions {
  bool tokenised = false;  // read tok/ and not raw/
};

// `folder` holds task1/ and task2/ (or one of them), or is one task. Captions of both are merged.
// A caption file whose number of lines differs from its image list's is an InputError.
void import_multi30k(const std::filesystem::path& folder, const Multi30kOptions& options,
                     ImportWriter& writer);

}  // namespace hinny

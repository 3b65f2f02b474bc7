// The vectors that a teacher, a large model of another program, gives sentences:
// docs/formats/teacher.md.
#pragma once

#include <filesystem>
#include <string>

#include "data/features.h"

namespace hinny {

// For each line of `lines`, a dataset without pictures in the languages that learn, the teacher's
// vector of its sentence in `language`, one of the folder's, as if it were the features of a
// picture called `name`. FILE.npy has a row for each sentence of FILE.txt beside it; sentences are
// compared as they are written, but for white space at their ends. Lines without a sentence in
// `language` have no vector, nor need those outside of the splits train and val have one. Throws
// InputError that names file and row, or line, for files that do not fit each other, a row of zeros
// or with NaN or infinity, a sentence of train or val that the teacher lacks, two different
// sentences on a line, and no line to learn from. Says on stderr how many lines there are.
Features open_teacher(const Dataset& lines, const std::filesystem::path& npy,
                      const std::string& language, const std::string& name);

}  // namespace hinny

// Rows of an npy file that were made in parts: beside NAME.npy a folder NAME.npy.part-03-of-16 for
// each, with part.json and rows.npy.
#pragma once

#include <filesystem>
#include <vector>

#include "base/npy.h"
#include "data/part.h"

namespace hinny {

constexpr const char* kRowsFile = "rows.npy";

// Where a part of the file belongs.
std::filesystem::path row_part(const std::filesystem::path& file, const Part& part);

// The parts of the file, in order. Throws InputError when none is there, and as parts_in_order.
std::vector<std::filesystem::path> row_parts(const std::filesystem::path& file);

// Appends the rows of all of these folders. Throws InputError when one has rows of another size.
void append_rows(const std::vector<std::filesystem::path>& parts, NpyWriter& file,
                 const std::vector<std::int64_t>& row_shape);

// The shape of one row of a part.
std::vector<std::int64_t> row_shape(const std::filesystem::path& part);

}  // namespace hinny

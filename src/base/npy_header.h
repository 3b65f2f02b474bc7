// The text that stands before the numbers of an npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/npy.h"

namespace hinny {

struct NpyHeader {
  NpyType type = NpyType::float32;
  std::vector<std::int64_t> shape;
  std::int64_t row_size = 0;    // product of all dimensions but the first
  std::size_t data_offset = 0;  // where the numbers begin
};

std::size_t bytes_per_number(NpyType type);

// Reads and checks the header of a whole file: whatever is not exactly a float16 or float32 array
// in C order whose numbers end with the file is an InputError about `path`.
NpyHeader read_npy_header(const std::filesystem::path& path, std::span<const std::byte> file);

// A version 1 header with room for any number of rows: for equal `row_shape` it is equally long.
// Throws std::invalid_argument when row_shape is empty or has a dimension below 1.
std::string npy_header(NpyType type, std::int64_t rows, std::span<const std::int64_t> row_shape);

}  // namespace hinny

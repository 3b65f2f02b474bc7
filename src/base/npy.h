// NumPy arrays on disk, float16 or float32, C order, little endian: docs/formats/npy.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/mapped_file.h"

namespace hinny {

enum class NpyType { float16, float32 };

// A memory-mapped array of two or more dimensions, read row by row. Header versions 1 to 3. It may
// have no rows, but no other dimension is 0. The header is checked against the file's size before
// anything is read: a file that is truncated or too long, of another type, in Fortran order or with
// an absurd shape is an InputError. Safe to read from several threads.
class NpyArray {
 public:
  static NpyArray open(const std::filesystem::path& path);

  const std::vector<std::int64_t>& shape() const { return shape_; }
  NpyType type() const { return type_; }
  std::int64_t rows() const { return shape_[0]; }
  // Numbers in one row: the product of the other dimensions.
  std::int64_t row_size() const { return row_size_; }
  // Copies one row as float into `out`, which holds row_size() numbers.
  void row(std::int64_t index, std::span<float> out) const;
  // All numbers where they lie in the file; empty when they are float16 or not aligned. They live
  // as long as the array.
  std::span<const float> in_place() const;
  // Where one row lies in the file, as it is stored, and the whole file.
  std::span<const std::byte> row_bytes(std::int64_t index) const;
  std::span<const std::byte> file_bytes() const { return file_.bytes(); }
  void expect_random_reads() const { file_.expect_random_reads(); }
  // The first row with a NaN or an infinity in it, or -1. Reads the whole file.
  std::int64_t first_bad_row() const;

 private:
  NpyArray(MappedFile file) : file_(std::move(file)) {}
  MappedFile file_;
  std::vector<std::int64_t> shape_;
  std::int64_t row_size_ = 0;
  std::size_t data_offset_ = 0;
  NpyType type_ = NpyType::float32;
};

// Writes [rows, dims...] row by row; the number of rows need not be known in advance. Appears
// whole on commit() (AtomicFile). A finite number that float16 cannot hold (beyond 65504) is an
// InputError; NaN and infinities are written as they are.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, std::vector<std::int64_t> row_shape, NpyType type);
  void append(std::span<const float> row);
  void commit();

 private:
  std::filesystem::path path_;
  AtomicFile file_;
  std::vector<std::int64_t> row_shape_;
  std::int64_t row_size_;
  NpyType type_;
  std::vector<std::uint16_t> halves_;  // one row, converted
  std::int64_t rows_ = 0;
};

// A whole float32 array in one call; `shape` has two or more dimensions.
void write_npy(const std::filesystem::path& path, std::span<const float> values,
               std::vector<std::int64_t> shape);

}  // namespace hinny

#include "base/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/half.h"
#include "base/npy_header.h"
#include "base/threads.h"

namespace hinny {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are mapped as they are stored");

// True when some number's exponent is all ones: NaN or infinity. Without a branch per number, so
// that it runs at memory speed.
template <typename Bits>
bool any_special(const std::byte* numbers, std::size_t count, Bits exponent) {
  unsigned found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, numbers + i * sizeof bits, sizeof bits);
    found |= static_cast<unsigned>((bits & exponent) == exponent);
  }
  return found != 0;
}

}  // namespace

NpyArray NpyArray::open(const std::filesystem::path& path) {
  NpyArray array{MappedFile(path)};
  NpyHeader header = read_npy_header(path, array.file_.bytes());
  array.shape_ = std::move(header.shape);
  array.row_size_ = header.row_size;
  array.data_offset_ = header.data_offset;
  array.type_ = header.type;
  return array;
}

std::span<const std::byte> NpyArray::row_bytes(std::int64_t index) const {
  if (index < 0 || index >= rows()) throw std::out_of_range("NpyArray::row_bytes");
  const std::size_t size = static_cast<std::size_t>(row_size_) * bytes_per_number(type_);
  return file_.bytes().subspan(data_offset_ + static_cast<std::size_t>(index) * size, size);
}

void NpyArray::row(std::int64_t index, std::span<float> out) const {
  const std::span<const std::byte> from = row_bytes(index);
  if (out.size() != static_cast<std::size_t>(row_size_)) throw std::out_of_range("NpyArray::row");
  if (type_ == NpyType::float32) {
    std::memcpy(out.data(), from.data(), from.size());
    return;
  }
  halves_to_floats(from, out);
}

std::span<const float> NpyArray::in_place() const {
  const std::byte* data = file_.bytes().data() + data_offset_;
  if (type_ != NpyType::float32 || reinterpret_cast<std::uintptr_t>(data) % alignof(float) != 0) {
    return {};
  }
  return {reinterpret_cast<const float*>(data), static_cast<std::size_t>(rows() * row_size_)};
}

std::int64_t NpyArray::first_bad_row() const {
  const auto count = static_cast<std::size_t>(row_size_);
  const std::size_t row_bytes = count * bytes_per_number(type_);
  const std::byte* data = file_.bytes().data() + data_offset_;
  std::atomic<std::int64_t> first = rows();
  parallel_blocks(static_cast<std::size_t>(rows()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::byte* numbers = data + row * row_bytes;
      const bool bad = type_ == NpyType::float16
                           ? any_special<std::uint16_t>(numbers, count, 0x7C00U)
                           : any_special<std::uint32_t>(numbers, count, 0x7F800000U);
      if (!bad) continue;
      const auto found = static_cast<std::int64_t>(row);
      std::int64_t before = first.load();
      while (found < before && !first.compare_exchange_weak(before, found)) {
      }
      return;
    }
  });
  return first < rows() ? first.load() : -1;
}

NpyWriter::NpyWriter(const std::filesystem::path& path, std::vector<std::int64_t> row_shape,
                     NpyType type)
    : path_(path), file_(path), row_shape_(std::move(row_shape)), row_size_(1), type_(type) {
  file_.write(npy_header(type_, 0, row_shape_));
  for (const std::int64_t size : row_shape_) row_size_ *= size;
}

void NpyWriter::append(std::span<const float> row) {
  if (row.size() != static_cast<std::size_t>(row_size_)) {
    throw std::invalid_argument("NpyWriter::append: a row of another size");
  }
  if (type_ == NpyType::float32) {
    file_.write(std::as_bytes(row));
  } else {
    halves_.resize(row.size());
    std::transform(row.begin(), row.end(), halves_.begin(), float_to_half);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if ((halves_[i] & 0x7FFFU) == 0x7C00U && std::isfinite(row[i])) {
        throw InputError(path_, fmt::format("row {}: {} does not fit float16", rows_, row[i]),
                         "numbers up to 65504, or float32");
      }
    }
    file_.write(std::as_bytes(std::span(halves_)));
  }
  ++rows_;
}

void NpyWriter::commit() {
  file_.write_at(0, npy_header(type_, rows_, row_shape_));
  file_.commit();
}

void write_npy(const std::filesystem::path& path, std::span<const float> values,
               std::vector<std::int64_t> shape) {
  if (shape.size() < 2) throw std::invalid_argument("write_npy: two or more dimensions");
  const std::vector<std::int64_t> row_shape(shape.begin() + 1, shape.end());
  std::size_t row_size = 1;
  for (const std::int64_t size : row_shape) row_size *= static_cast<std::size_t>(size);
  if (values.size() != static_cast<std::size_t>(shape[0]) * row_size) {
    throw std::invalid_argument("write_npy: values and shape do not agree");
  }
  NpyWriter writer(path, row_shape, NpyType::float32);
  for (std::size_t begin = 0; begin < values.size(); begin += row_size) {
    writer.append(values.subspan(begin, row_size));
  }
  writer.commit();
}

}  // namespace hinny

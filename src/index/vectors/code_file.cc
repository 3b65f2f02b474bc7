#include "index/vectors/code_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr const char* kCodes = "codes";
constexpr const char* kScales = "codes.scale";
constexpr const char* kErrors = "codes.error";
constexpr const char* kCentres = "centre";
constexpr std::size_t kRowsAtOnce = 4096;

using Shape = std::vector<std::int64_t>;

const TensorView& tensor(const SafetensorsFile& file, const std::filesystem::path& path,
                         const char* name, TensorType type, const Shape& shape) {
  const TensorView& view = file.at(name);
  if (view.type == type && view.shape == shape) return view;
  throw InputError(
      path, fmt::format("tensor '{}' is [{}]", name, fmt::join(view.shape, ", ")),
      fmt::format("{} [{}]", type == TensorType::uint8 ? "U8" : "F32", fmt::join(shape, ", ")));
}

// Every tensor before them is a multiple of four bytes long, and the data begin at eight.
std::span<const float> floats_in(const TensorView& view, const std::filesystem::path& path) {
  const auto at = reinterpret_cast<std::uintptr_t>(view.bytes.data());
  if (at % alignof(float) != 0) throw InputError(path, "numbers that are not aligned", "aligned");
  return {reinterpret_cast<const float*>(view.bytes.data()), view.bytes.size() / sizeof(float)};
}

}  // namespace

void write_codes(const std::filesystem::path& path, std::span<const float> vectors,
                 std::size_t columns, std::size_t spaces, int bits, bool small_last) {
  const std::size_t rows = vectors.size() / columns;
  const std::size_t each = CodeSpace::row_bytes(columns, bits);
  const auto numbers = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  SafetensorsWriter file(path,
                         {{kCodes, TensorType::uint8, {numbers(rows), numbers(each)}},
                          {kScales, TensorType::float32, {numbers(rows)}},
                          {kErrors, TensorType::float32, {numbers(rows)}},
                          {kCentres, TensorType::float32, {numbers(spaces), numbers(columns)}}});
  std::vector<float> scales(rows), errors(rows), centres;
  std::vector<std::uint8_t> codes;
  Progress progress("codes", rows);
  for (std::size_t space = 0; space < spaces; ++space) {
    const std::size_t begin = space * (rows / spaces), end = begin + rows / spaces;
    const std::vector<float> centre =
        centre_of(vectors.subspan(begin * columns, (end - begin) * columns), columns);
    centres.insert(centres.end(), centre.begin(), centre.end());
    const CodeSpace coder(bits, columns, small_last, centre);
    for (std::size_t first = begin; first < end; first += kRowsAtOnce) {
      stop_if_interrupted();
      const std::size_t count = std::min(kRowsAtOnce, end - first);
      codes.resize(count * each);
      parallel_blocks(count, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
          const auto factors = coder.encode(vectors.subspan((first + i) * columns, columns),
                                            std::span(codes).subspan(i * each, each));
          scales[first + i] = factors.scale;
          errors[first + i] = factors.error;
        }
      });
      file.append(std::as_bytes(std::span(codes)));
      progress.add(count);
    }
  }
  for (const std::vector<float>* some : {&scales, &errors, &centres}) {
    file.append(std::as_bytes(std::span(*some)));
  }
  file.commit();
}

CodeFile::CodeFile(const std::filesystem::path& path, std::size_t images, std::size_t columns,
                   std::size_t spaces, int bits, bool small_last)
    : file_(SafetensorsFile::open(path)), images_(images) {
  const auto rows = static_cast<std::int64_t>(images * spaces);
  const auto each = static_cast<std::int64_t>(CodeSpace::row_bytes(columns, bits));
  codes_ = tensor(file_, path, kCodes, TensorType::uint8, {rows, each}).bytes;
  scales_ = floats_in(tensor(file_, path, kScales, TensorType::float32, {rows}), path);
  errors_ = floats_in(tensor(file_, path, kErrors, TensorType::float32, {rows}), path);
  const auto centres =
      floats_in(tensor(file_, path, kCentres, TensorType::float32,
                       {static_cast<std::int64_t>(spaces), static_cast<std::int64_t>(columns)}),
                path);
  if (columns > kMostIntegerColumns) {
    throw InputError(path, fmt::format("codes of {} numbers", columns),
                     fmt::format("{} at most", kMostIntegerColumns));
  }
  for (std::size_t space = 0; space < spaces; ++space) {
    spaces_.push_back(std::make_shared<const CodeSpace>(bits, columns, small_last,
                                                        centres.subspan(space * columns, columns)));
  }
}

Scan CodeFile::scan(std::size_t space) const {
  const std::size_t each = spaces_[space]->row_bytes();
  const Matrix rows{TensorType::uint8, codes_.data() + space * images_ * each, images_, each,
                    scales_.subspan(space * images_, images_)};
  return {rows, errors_.subspan(space * images_, images_), spaces_[space]};
}

}  // namespace hinny

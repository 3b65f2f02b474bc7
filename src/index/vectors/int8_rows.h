// Vectors in int8, held in memory: what a graph is linked by where the scan has codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.h"
#include "tensors/matrix.h"

namespace hinny {

class Int8Rows {
 public:
  // Of vectors [rows, columns]. Uses several threads.
  Int8Rows(std::span<const float> vectors, std::size_t columns)
      : columns_(columns), numbers_(vectors.size()), scales_(vectors.size() / columns) {
    parallel_blocks(scales_.size(), [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin) {
        scales_[begin] = to_int8(vectors.subspan(begin * columns_, columns_),
                                 std::span(numbers_).subspan(begin * columns_, columns_));
      }
    });
  }
  // Into it: it must outlive what is made of that.
  Matrix matrix() const {
    return {TensorType::int8, std::as_bytes(std::span(numbers_)).data(), scales_.size(), columns_,
            scales_};
  }

 private:
  std::size_t columns_;
  std::vector<std::int8_t> numbers_;
  std::vector<float> scales_;
};

}  // namespace hinny

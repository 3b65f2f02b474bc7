// Vectors in codes of one, two or four bits a number, and estimates of products with them.
//
// Of a row x stays what it differs from the centre c of its collection, rotated at random
// (rotation.h): r = P (x - c), of D numbers. Its code is the vector u of odd numbers, from
// 1 - 2^bits to 2^bits - 1, whose direction is next to r's. A query q is rotated, too, and rounded
// to int8; then
//
//     q.x  is estimated as  q.c + s (P q . u),   s = |r|^2 / (r . u)
//
// Over random rotations that is right in the mean, and it is off by
//
//     e |q|,   e = |r| sqrt((1 / cos^2(r, u) - 1) / (D - 1))
//
// in the root of the mean square, at most: what an error is made of is the part of u that is
// orthogonal to r, which lies anywhere. (The query's own rounding, under a hundredth of |q|, is in
// `e`, too.) `s` and `e` are stored beside each row's code.
//
// One bit: RaBitQ (Gao and Long, SIGMOD 2024). More: extended RaBitQ (Gao et al., SIGMOD 2025), but
// that the scale of the grid is the best of a few around the one for normal numbers (Max 1960) and
// not of all. The centre is LVQ's (Aguerrebere et al., VLDB 2023).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/vectors/rotation.h"
#include "tensors/matrix.h"

namespace hinny {

constexpr int kInt8 = 8;  // bits of a number where no codes are made (scan.h)
inline constexpr std::array kCodeBits = {1, 2, 4};

// What codes are made of and read with: immutable, and safe to share between threads.
class CodeSpace {
 public:
  // Of rows of `columns` numbers, which differ from `centre` [columns]. `small_last`: the last
  // number is a correction (IndexContents::hubs), and queries have 0 or 1 there. It is taken
  // kSmall times, and of queries as small a part: else it would double a query's square, and with
  // that the error.
  CodeSpace(int bits, std::size_t columns, bool small_last, std::span<const float> centre);

  int bits() const { return bits_; }
  std::size_t columns() const { return columns_; }
  std::size_t rotated() const { return rotation_.size(); }  // numbers
  std::size_t row_bytes() const { return row_bytes(columns_, bits_); }
  static std::size_t row_bytes(std::size_t columns, int bits) {
    return Rotation::size_of(columns) * static_cast<std::size_t>(bits) / 8;
  }

  struct Factors {
    float scale = 0, error = 0;  // s and e above
  };
  // Makes a row's code [row_bytes()]. The same on every processor. A row that is not finite, or so
  // long that its square is not, gets a code that estimates 0.
  Factors encode(std::span<const float> row, std::span<std::uint8_t> code) const;

  // A query, ready to be compared with codes: q.x is estimated as
  // offset + scale x s x (numbers . u), with an error of length x e.
  struct Query {
    float scale = 0, offset = 0, length = 0;
  };
  Query prepare(std::span<const float> query, std::span<std::int8_t> numbers) const;

 private:
  static constexpr float kSmall = 8;

  int bits_;
  std::size_t columns_;
  bool small_last_;
  std::vector<float> centre_;
  Rotation rotation_;
};

// The centre of rows [rows, columns]: the mean of some of them, evenly spread.
std::vector<float> centre_of(std::span<const float> rows, std::size_t columns);

// Several queries of one space.
struct CodeQueries {
  CodeQueries(const CodeSpace& space, std::span<const float> queries);  // [queries, columns]

  std::vector<CodeSpace::Query> each;
  std::vector<std::int8_t> numbers;  // [queries, space.rotated()]
};

// How many standard errors an estimate is off by once in a billion rows, where errors are normal.
constexpr float kSure = 6;

}  // namespace hinny

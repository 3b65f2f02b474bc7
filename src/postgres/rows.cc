#include "postgres/rows.h"

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <optional>
#include <span>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/half.h"
#include "base/path_text.h"

namespace hinny {
namespace {

constexpr std::size_t kMostFloats = 2000;  // that pgvector's HNSW takes
constexpr std::size_t kMostHalves = 4000;
constexpr std::int64_t kPostgresEpoch = 946'684'800;  // 2000-01-01, in seconds since 1970
constexpr int kFields = 6;

// Numbers in network order.
template <std::unsigned_integral Number>
void put_at(char* place, Number number) {
  for (std::size_t i = sizeof number; i > 0; --i) {
    place[i - 1] = static_cast<char>(number & 0xFFU);
    number = static_cast<Number>(number >> 8U);
  }
}

template <std::unsigned_integral Number>
void put(std::string& bytes, Number number) {
  bytes.resize(bytes.size() + sizeof number);
  put_at(&bytes[bytes.size() - sizeof number], number);
}

void put_field(std::string& bytes, std::string_view field) {
  put(bytes, static_cast<std::uint32_t>(field.size()));
  bytes += field;
}

void put_float(std::string& bytes, float number) {
  put(bytes, std::bit_cast<std::uint32_t>(number));
}

// 32 hexadecimal digits as 16 bytes.
std::string bytes_of(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(16 * value(digits[i]) + value(digits[i + 1]));
  }
  return bytes;
}

// The numbers, and one more if there is one, behind how many they are.
template <typename Number, typename Convert>
std::string vector_field(std::span<const float> numbers, std::optional<float> more,
                         const Convert& convert) {
  const std::size_t count = numbers.size() + (more ? 1 : 0);
  std::string field(4 + sizeof(Number) * count, '\0');
  put_at(field.data(), static_cast<std::uint16_t>(count));
  char* place = field.data() + 4;
  for (const float number : numbers) {
    put_at<Number>(place, convert(number));
    place += sizeof(Number);
  }
  if (more) put_at<Number>(place, convert(*more));
  return field;
}

}  // namespace

std::string copy_header() {
  using namespace std::string_literals;
  return "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"s;
}

std::string copy_trailer() { return "\377\377"; }

TableRows::TableRows(const Index& index, VectorType type)
    : index_(index), space_(index.contents().spaces.front()), root_(index.root()) {
  const IndexContents& contents = index.contents();
  if (contents.spaces.size() > 1) {
    throw InputError(index.folder(),
                     fmt::format("{} vectors of each picture", contents.spaces.size()),
                     "an index of a model with one image space");
  }
  if (index.attends()) {
    throw InputError(index.folder(), "its model compares words with regions of pictures",
                     "an index of a model with one vector for each picture");
  }
  facts_ = {contents.model,
            type,
            contents.dim + (contents.hubs ? 1 : 0),
            contents.hubs,
            index.size(),
            false,
            root_.string(),
            std::filesystem::absolute(index.folder()).lexically_normal().string()};
  const std::size_t most = type == VectorType::vector ? kMostFloats : kMostHalves;
  if (facts_.columns > most) {
    throw InputError(index.folder(), fmt::format("vectors of {} numbers", facts_.columns),
                     fmt::format("at most {} in a {}", most, name_of(type)));
  }
  if (const auto& facts = index.folder_facts(); facts.known()) times_ = &facts.times;
  facts_.times = times_ != nullptr;
  facts_.pictures = path_text(facts_.pictures);
  facts_.index_folder = path_text(facts_.index_folder);
}

TableRows::Row TableRows::row(std::size_t image) const {
  std::optional<float> penalty;
  if (facts_.corrected) {
    penalty = index_.penalty(image, space_);
    // What is taken off a score again must be what was added.
    if (facts_.type == VectorType::halfvec) penalty = half_to_float(float_to_half(*penalty));
  }
  std::string file = index_.picture(image);
  if (!file.empty())
    file = path_text(std::filesystem::path(file).lexically_relative(root_).string());

  Row row;
  std::string& bytes = row.bytes;
  put(bytes, static_cast<std::uint16_t>(kFields));
  put_field(bytes, id(image));
  put_field(bytes, file);
  if (times_ == nullptr) {
    put(bytes, ~std::uint32_t{0});
  } else {
    put(bytes, std::uint32_t{8});
    put(bytes, static_cast<std::uint64_t>(((*times_)[image] - kPostgresEpoch) * 1'000'000));
  }
  put(bytes, std::uint32_t{4});
  put_float(bytes, penalty.value_or(0.0F));
  const auto numbers = index_.vector_view(image, space_);
  const std::string vector =
      facts_.type == VectorType::vector
          ? vector_field<std::uint32_t>(numbers, penalty,
                                        [](float x) { return std::bit_cast<std::uint32_t>(x); })
          : vector_field<std::uint16_t>(numbers, penalty, float_to_half);
  row.digest = content_hash(std::string_view(bytes + vector));
  put_field(bytes, bytes_of(row.digest));
  put_field(bytes, vector);
  return row;
}

}  // namespace hinny

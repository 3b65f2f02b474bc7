#include "tokenizer/wire_format.h"

#include <cstring>

namespace hinny {

std::optional<std::uint64_t> WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80U) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
  if (bytes > rest_.size()) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, rest_.data(), bytes);
  rest_.remove_prefix(bytes);
  return value;
}

std::optional<WireField> WireReader::next() {
  if (rest_.empty() || broken_) return std::nullopt;
  broken_ = true;  // until a whole field was read
  const auto key = varint();
  if (!key || *key >> 3U == 0) return std::nullopt;
  WireField field;
  field.number = *key >> 3U;
  std::optional<std::uint64_t> value;
  switch (*key & 7U) {
    case 0:
      value = varint();
      break;
    case 1:
      value = fixed(8);
      break;
    case 5:
      value = fixed(4);
      break;
    case 2:
      value = varint();
      if (!value || *value > rest_.size()) return std::nullopt;
      field.bytes = rest_.substr(0, *value);
      field.has_length = true;
      rest_.remove_prefix(*value);
      break;
    default:
      return std::nullopt;
  }
  if (!value) return std::nullopt;
  field.value = *value;
  broken_ = false;
  return field;
}

}  // namespace hinny

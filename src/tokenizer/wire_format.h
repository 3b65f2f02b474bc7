// Protocol buffers' wire format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hinny {

struct WireField {
  std::uint64_t number = 0;
  std::uint64_t value = 0;   // a varint, or the bits of a fixed number
  std::string_view bytes{};  // of a field that has a length
  bool has_length = false;
};

// The fields of one message, in order.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}
  // Nothing at the end, and where the message is broken: then broken().
  std::optional<WireField> next();
  bool broken() const { return broken_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t bytes);
  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace hinny

// A network of one node as ONNX bytes, for tests: no network file needs to be shipped.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// One field of a protocol buffer.
inline std::string bytes_field(int number, std::string_view value) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  for (std::size_t size = value.size();; size >>= 7U) {
    out += static_cast<char>((size & 0x7FU) | (size > 0x7F ? 0x80U : 0U));
    if (size <= 0x7F) break;
  }
  return out + std::string(value);
}

inline std::string number_field(int number, int value) {  // below 128
  return {static_cast<char>(number << 3), static_cast<char>(value)};
}

// `operation` from "image" [batch, 3, side, side] to "features". batch 0: any.
inline std::string tiny_network(std::string_view operation, int side, int batch = 0) {
  const auto dimension = [](int size) {
    return bytes_field(1, size > 0 ? number_field(1, size) : bytes_field(2, "N"));
  };
  const auto tensor = [&](std::string_view name, const std::string& shape) {
    const std::string type = number_field(1, 1) + bytes_field(2, shape);
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, type));
  };
  const std::string shape = dimension(batch) + dimension(3) + dimension(side) + dimension(side);
  const std::string node = bytes_field(1, "image") + bytes_field(2, "features") +
                           bytes_field(3, "node") + bytes_field(4, operation);
  const std::string graph = bytes_field(1, node) + bytes_field(2, "tiny") +
                            bytes_field(11, tensor("image", shape)) +
                            bytes_field(12, tensor("features", shape));
  return number_field(1, 7) + bytes_field(7, graph) + bytes_field(8, number_field(2, 9));
}

}  // namespace hinny

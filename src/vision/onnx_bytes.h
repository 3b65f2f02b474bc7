// ONNX files written by hand, for tests: no network file needs to be shipped.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hinny {

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 0x7F; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  return out + static_cast<char>(value);
}

// The fields of a protocol buffer.
inline std::string bytes_field(unsigned number, std::string_view value) {
  return varint(number << 3U | 2U) + varint(value.size()) + std::string(value);
}

inline std::string number_field(unsigned number, std::int64_t value) {
  return varint(number << 3U) + varint(static_cast<std::uint64_t>(value));
}

template <typename Number>
std::string raw_bytes(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

// A float32 input or output; 0 is a size that is left open.
inline std::string described_tensor(std::string_view name, const std::vector<std::int64_t>& sizes) {
  std::string shape;
  for (const std::int64_t size : sizes) {
    shape += bytes_field(1, size > 0 ? number_field(1, size) : bytes_field(2, "N"));
  }
  const std::string type = number_field(1, 1) + bytes_field(2, shape);
  return bytes_field(1, name) + bytes_field(2, bytes_field(1, type));
}

// A graph that grows node by node.
class OnnxGraph {
 public:
  using Ints = std::vector<std::int64_t>;

  void input(std::string_view name, const Ints& sizes) {
    inputs_ += bytes_field(11, described_tensor(name, sizes));
  }
  void output(std::string_view name, const Ints& sizes) {
    outputs_ += bytes_field(12, described_tensor(name, sizes));
  }
  std::string weights(std::string_view name, const Ints& sizes, const std::vector<float>& values) {
    return constant(name, sizes, 1, raw_bytes(values));
  }
  std::string integers(std::string_view name, const Ints& values) {
    return constant(name, {static_cast<std::int64_t>(values.size())}, 7, raw_bytes(values));
  }
  // Attributes as ints(), number() and so on make them. Returns the name of its one output.
  std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& attributes = {}, std::string output = {}) {
    if (output.empty()) output = std::string(operation) + std::to_string(++count_);
    std::string node;
    for (const std::string& name : inputs) node += bytes_field(1, name);
    node += bytes_field(2, output) + bytes_field(3, "node_" + output) + bytes_field(4, operation);
    for (const std::string& attribute : attributes) node += bytes_field(5, attribute);
    nodes_ += bytes_field(1, node);
    return output;
  }
  static std::string ints(std::string_view name, const Ints& values) {
    std::string out = bytes_field(1, name);
    for (const std::int64_t value : values) out += number_field(8, value);
    return out + number_field(20, 7);
  }
  static std::string integer(std::string_view name, std::int64_t value) {
    return bytes_field(1, name) + number_field(3, value) + number_field(20, 2);
  }
  static std::string number(std::string_view name, float value) {
    return bytes_field(1, name) + varint(2U << 3U | 5U) + raw_bytes(std::vector<float>{value}) +
           number_field(20, 1);
  }

  std::string model(int opset) const {
    const std::string graph = nodes_ + bytes_field(2, "graph") + constants_ + inputs_ + outputs_;
    return number_field(1, 7) + bytes_field(7, graph) + bytes_field(8, number_field(2, opset));
  }

 private:
  std::string constant(std::string_view name, const Ints& sizes, int type,
                       const std::string& bytes) {
    std::string tensor;
    for (const std::int64_t size : sizes) tensor += number_field(1, size);
    tensor += number_field(2, type) + bytes_field(8, name) + bytes_field(9, bytes);
    constants_ += bytes_field(5, tensor);
    return std::string(name);
  }

  std::string nodes_, constants_, inputs_, outputs_;
  int count_ = 0;
};

}  // namespace hinny

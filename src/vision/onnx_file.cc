#include "vision/onnx_file.h"

#include <array>
#include <cstdint>
#include <optional>

namespace hinny {
namespace {

using Bytes = std::span<const std::byte>;

// The messages of onnx.proto3 on the way to a tensor.
enum class Message { model, graph, node, attribute, tensor, sparse_tensor, function, training };

struct Child {
  Message of;
  std::uint64_t field;
  Message is;
};

constexpr std::array<Child, 19> kChildren = {{
    {Message::model, 7, Message::graph},
    {Message::model, 20, Message::training},
    {Message::model, 25, Message::function},
    {Message::training, 1, Message::graph},
    {Message::training, 2, Message::graph},
    {Message::graph, 1, Message::node},
    {Message::graph, 5, Message::tensor},
    {Message::graph, 15, Message::sparse_tensor},
    {Message::function, 7, Message::node},
    {Message::function, 11, Message::attribute},
    {Message::node, 5, Message::attribute},
    {Message::attribute, 5, Message::tensor},
    {Message::attribute, 6, Message::graph},
    {Message::attribute, 10, Message::tensor},
    {Message::attribute, 11, Message::graph},
    {Message::attribute, 22, Message::sparse_tensor},
    {Message::attribute, 23, Message::sparse_tensor},
    {Message::sparse_tensor, 1, Message::tensor},
    {Message::sparse_tensor, 2, Message::tensor},
}};
constexpr std::uint64_t kExternalData = 13;  // of a tensor
constexpr std::uint64_t kDataLocation = 14;

std::optional<std::uint64_t> varint(Bytes& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(rest.front());
    rest = rest.subspan(1);
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

OnnxFile look(Bytes rest, Message message, int depth);

// What a field of a message's own bytes holds.
OnnxFile look_into(Bytes content, Message message, std::uint64_t field, int depth) {
  if (message == Message::tensor && field == kExternalData) return OnnxFile::needs_others;
  for (const Child& child : kChildren) {
    if (child.of == message && child.field == field) return look(content, child.is, depth + 1);
  }
  return OnnxFile::whole;
}

OnnxFile look(Bytes rest, Message message, int depth) {
  constexpr int kMostDepth = 100;  // protobuf's own limit
  if (depth > kMostDepth) return OnnxFile::broken;
  while (!rest.empty()) {
    const auto key = varint(rest);
    if (!key) return OnnxFile::broken;
    const std::uint64_t field = *key >> 3U;
    std::uint64_t size = 0;
    OnnxFile found = OnnxFile::whole;
    switch (*key & 7U) {
      case 0: {
        const auto value = varint(rest);
        if (!value) return OnnxFile::broken;
        const bool elsewhere = message == Message::tensor && field == kDataLocation && *value != 0;
        if (elsewhere) return OnnxFile::needs_others;
        break;
      }
      case 1:
        size = 8;
        break;
      case 5:
        size = 4;
        break;
      case 2: {
        const auto stated = varint(rest);
        if (!stated || *stated > rest.size()) return OnnxFile::broken;
        size = *stated;
        found = look_into(rest.first(size), message, field, depth);
        break;
      }
      default:
        return OnnxFile::broken;
    }
    if (found != OnnxFile::whole) return found;
    if (size > rest.size()) return OnnxFile::broken;
    rest = rest.subspan(size);
  }
  return OnnxFile::whole;
}

}  // namespace

OnnxFile look_at_onnx(Bytes file) { return look(file, Message::model, 0); }

}  // namespace hinny

#include "base/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/half.h"
#include "base/safetensors_header.h"

namespace hinny {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are read in place");

constexpr std::uint64_t kMostHeaderBytes = 100'000'000;
constexpr std::size_t kLengthBytes = 8;

// The bytes that a tensor of this shape takes; false when they do not fit in 63 bits.
bool bytes_of(TensorType type, const std::vector<std::int64_t>& shape, std::uint64_t& bytes) {
  auto product = static_cast<std::int64_t>(bytes_per_number(type));
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(product, size, &product)) return false;
  }
  bytes = static_cast<std::uint64_t>(product);
  return true;
}

// Sorted by place, the tensors must follow each other from 0 to the end of the data.
void check_places(const std::filesystem::path& path, const SafetensorsHeader& header,
                  std::uint64_t data_bytes) {
  std::vector<const std::pair<const std::string, SafetensorsHeader::Entry>*> order;
  for (const auto& item : header.tensors) order.push_back(&item);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  std::uint64_t next = 0;
  for (const auto* item : order) {
    const auto& [name, entry] = *item;
    std::uint64_t bytes = 0;
    if (!bytes_of(entry.type, entry.shape, bytes) || entry.end < entry.begin ||
        entry.end - entry.begin != bytes) {
      throw InputError(path,
                       fmt::format("tensor '{}' of shape [{}] has bytes {} to {}", name,
                                   fmt::join(entry.shape, ", "), entry.begin, entry.end),
                       "offsets that fit the shape");
    }
    if (entry.begin != next || entry.end > data_bytes) {
      throw InputError(path,
                       fmt::format("tensor '{}' has bytes {} to {} of {}", name, entry.begin,
                                   entry.end, data_bytes),
                       fmt::format("to start at {} and lie within the file", next));
    }
    next = entry.end;
  }
  if (next != data_bytes) {
    throw InputError(path, fmt::format("{} bytes of data", data_bytes),
                     fmt::format("{}, as the header says", next));
  }
}

}  // namespace

std::size_t bytes_per_number(TensorType type) {
  switch (type) {
    case TensorType::int64:
      return 8;
    case TensorType::float32:
    case TensorType::int32:
      return 4;
    case TensorType::float16:
    case TensorType::bfloat16:
      return 2;
    case TensorType::uint8:
    case TensorType::int8:
      return 1;
  }
  throw std::invalid_argument("bytes_per_number: no such type");
}

std::int64_t TensorView::size() const {
  return static_cast<std::int64_t>(bytes.size() / bytes_per_number(type));
}

std::vector<float> TensorView::floats() const {
  std::vector<float> result(static_cast<std::size_t>(size()));
  if (type == TensorType::float32) {
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
  if (type != TensorType::float16 && type != TensorType::bfloat16) {
    throw InputError(fmt::format("a tensor of type {}", safetensors_name(type)),
                     "F32, F16 or BF16");
  }
  (type == TensorType::float16 ? halves_to_floats : bfloat16s_to_floats)(bytes, result);
  return result;
}

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  SafetensorsFile result(path, MappedFile(path));
  const auto bytes = result.file_.bytes();
  std::uint64_t length = 0;
  if (bytes.size() >= kLengthBytes) std::memcpy(&length, bytes.data(), kLengthBytes);
  if (bytes.size() < kLengthBytes || length > bytes.size() - kLengthBytes ||
      length > kMostHeaderBytes) {
    throw InputError(path, fmt::format("{} bytes with a header of {}", bytes.size(), length),
                     "a whole safetensors file");
  }
  const std::string_view json(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  if (!json.starts_with('{')) throw InputError(path, "no header", "a safetensors file");
  SafetensorsHeader header = parse_safetensors_header(path, json);
  const auto data = bytes.subspan(kLengthBytes + length);
  check_places(path, header, data.size());
  for (auto& [name, entry] : header.tensors) {
    result.tensors_[name] = TensorView{entry.type, std::move(entry.shape),
                                       data.subspan(entry.begin, entry.end - entry.begin)};
  }
  result.metadata_ = std::move(header.metadata);
  return result;
}

const TensorView& SafetensorsFile::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw InputError(path_, fmt::format("no tensor '{}'", name), "");
  return found->second;
}

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<Place>& tensors,
                                     const std::map<std::string, std::string>& metadata)
    : file_(path) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  for (const Place& tensor : tensors) {
    std::uint64_t bytes = 0;
    if (tensor.name == "__metadata__" || !bytes_of(tensor.type, tensor.shape, bytes)) {
      throw std::invalid_argument("SafetensorsWriter: tensor " + tensor.name);
    }
    header[tensor.name] = {{"dtype", safetensors_name(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {missing_, missing_ + bytes}}};
    missing_ += bytes;
  }
  std::string json = header.dump();
  json.append((kLengthBytes - json.size() % kLengthBytes) % kLengthBytes, ' ');  // aligned numbers
  const std::uint64_t length = json.size();
  file_.write(std::string_view(reinterpret_cast<const char*>(&length), kLengthBytes));
  file_.write(json);
}

void SafetensorsWriter::append(std::span<const std::byte> bytes) {
  if (bytes.size() > missing_) throw std::invalid_argument("SafetensorsWriter: too many numbers");
  missing_ -= bytes.size();
  file_.write(bytes);
}

void SafetensorsWriter::commit() {
  if (missing_ > 0) throw std::invalid_argument("SafetensorsWriter: numbers are missing");
  file_.commit();
}

void write_safetensors(const std::filesystem::path& path,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<SafetensorsWriter::Place> places;
  places.reserve(tensors.size());
  for (const auto& [name, view] : tensors) {
    std::uint64_t bytes = 0;
    if (!bytes_of(view.type, view.shape, bytes) || bytes != view.bytes.size()) {
      throw std::invalid_argument("write_safetensors: shape and bytes of " + name + " differ");
    }
    places.push_back({name, view.type, view.shape});
  }
  SafetensorsWriter writer(path, places, metadata);
  for (const auto& item : tensors) writer.append(item.second.bytes);
  writer.commit();
}

}  // namespace hinny

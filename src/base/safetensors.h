// Named tensors in one file (the safetensors format): docs/formats/model.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/mapped_file.h"

namespace hinny {

enum class TensorType { float32, float16, bfloat16, int64, int32, uint8, int8 };
std::size_t bytes_per_number(TensorType type);

// One tensor's place in a file or in memory; C order, little endian. Does not own the bytes.
struct TensorView {
  TensorType type = TensorType::float32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;

  std::int64_t size() const;  // how many numbers
  // The numbers as float, whatever floating type is stored; throws InputError for integers.
  std::vector<float> floats() const;
};

// A memory-mapped safetensors file. open() checks everything before it returns: header length
// and JSON, types, shapes, offsets that overlap, leave gaps or leave the file are InputErrors.
class SafetensorsFile {
 public:
  static SafetensorsFile open(const std::filesystem::path& path);

  const std::map<std::string, TensorView>& tensors() const { return tensors_; }
  // Throws InputError naming file and tensor when it is not there.
  const TensorView& at(const std::string& name) const;
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::span<const std::byte> file_bytes() const { return file_.bytes(); }

 private:
  SafetensorsFile(std::filesystem::path path, MappedFile file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::filesystem::path path_;
  MappedFile file_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

// Writes tensors whose numbers come piece by piece. Appears whole on commit() (AtomicFile).
class SafetensorsWriter {
 public:
  struct Place {
    std::string name;
    TensorType type = TensorType::float32;
    std::vector<std::int64_t> shape;
  };
  // In the order in which their numbers will be appended.
  SafetensorsWriter(const std::filesystem::path& path, const std::vector<Place>& tensors,
                    const std::map<std::string, std::string>& metadata = {});
  void append(std::span<const std::byte> bytes);
  void commit();  // once all numbers are there

 private:
  AtomicFile file_;
  std::uint64_t missing_ = 0;  // bytes
};

// Written in name order, so equal tensors give equal bytes. Atomic.
void write_safetensors(const std::filesystem::path& path,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace hinny

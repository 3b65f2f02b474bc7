// The codes of a collection in a file: docs/formats/index.md, scan.safetensors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/safetensors.h"
#include "index/vectors/codes.h"
#include "index/vectors/scan.h"

namespace hinny {

// Writes the codes of vectors [rows, columns], the first rows of which are of one space, the next
// of another, and so on: each of `spaces` has a centre of its own. `small_last`: CodeSpace. The
// same vectors give the same bytes, on any number of threads. Atomic. Shows progress.
void write_codes(const std::filesystem::path& path, std::span<const float> vectors,
                 std::size_t columns, std::size_t spaces, int bits, bool small_last);

// Safe to share between threads.
class CodeFile {
 public:
  // What write_codes wrote of `spaces` x `images` rows. Throws InputError that names the file where
  // it holds anything else.
  CodeFile(const std::filesystem::path& path, std::size_t images, std::size_t columns,
           std::size_t spaces, int bits, bool small_last);

  // The codes of a space's rows: they lie in the file.
  Scan scan(std::size_t space) const;
  const SafetensorsFile& file() const { return file_; }

 private:
  SafetensorsFile file_;
  std::size_t images_;
  std::vector<std::shared_ptr<const CodeSpace>> spaces_;
  std::span<const float> scales_, errors_;
  std::span<const std::byte> codes_;
};

}  // namespace hinny

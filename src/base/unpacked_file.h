// A file, plain or packed by gzip, as its content tells and not its name.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <vector>

#include "base/file_calls.h"

namespace hinny {

class UnpackedFile {
 public:
  // Throws as OpenFile does.
  explicit UnpackedFile(const std::filesystem::path& path);
  ~UnpackedFile();
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  bool packed() const { return packed_; }
  // Up to `most` bytes; 0: the end. Why packed ones are not whole, if they are not, is problem().
  std::size_t read(char* bytes, std::size_t most);
  const char* problem() const { return problem_; }  // null: none

 private:
  std::size_t unpack(char* bytes, std::size_t most);
  bool refill();

  OpenFile file_;
  std::vector<char> block_;
  std::size_t next_ = 0, end_ = 0;  // of block_ what is still to be used
  z_stream stream_{};
  bool packed_ = false;
  bool between_ = false;  // after one packed part, where another may follow
  const char* problem_ = nullptr;
};

}  // namespace hinny

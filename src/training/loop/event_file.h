// Scalars for TensorBoard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/append_file.h"

namespace hinny {

// An event file in `folder`: TFRecord framing (length, masked CRC-32C) around Event messages,
// written by hand because they are the only protocol buffers here.
class EventFile {
 public:
  // `step`: where a resumed training goes on.
  EventFile(const std::filesystem::path& folder, std::int64_t step);
  // Throws Failure when the disk does not take it.
  void scalar(const std::string& tag, std::int64_t step, double value);

 private:
  void record(const std::string& event);
  AppendFile file_;
};

// CRC-32C (Castagnoli), as the framing wants it.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace hinny

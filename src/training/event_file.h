// Scalars for TensorBoard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hinny {

// An event file in `folder`: TFRecord framing (length, masked CRC-32C) around Event messages,
// written by hand because they are the only protocol buffers here.
class EventFile {
 public:
  // `step`: where a resumed training goes on.
  EventFile(const std::filesystem::path& folder, std::int64_t step);
  void scalar(const std::string& tag, std::int64_t step, double value);

 private:
  void record(const std::string& event);
  std::ofstream out_;
};

// CRC-32C (Castagnoli), as the framing wants it.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace hinny

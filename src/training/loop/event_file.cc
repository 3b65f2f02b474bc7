#include "training/loop/event_file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>

#include "base/folders.h"

namespace hinny {
namespace {

template <typename T>
std::string little_endian(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}

// A field of wire type 2: bytes with their length before them.
std::string with_length(char tag, const std::string& bytes) {
  return tag + varint(bytes.size()) + bytes;
}

// Event {1: double wall_time, 2: int64 step, ...}
std::string event_head(std::int64_t step) {
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return '\x09' + little_endian(now) + '\x10' + varint(static_cast<std::uint64_t>(step));
}

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ (value & 1U ? 0x82F63B78U : 0U);
    table[i] = value;
  }
  return table;
}

std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U;
}

std::filesystem::path new_file(const std::filesystem::path& folder, std::int64_t step) {
  create_folder(folder);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count();
  return folder / fmt::format("events.out.tfevents.{:010}.hinny.{}", seconds, step);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8U);
  }
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder, std::int64_t step)
    : file_(new_file(folder, step)) {
  record(event_head(step) + with_length('\x1a', "brain.Event:2"));  // 3: file_version
}

void EventFile::scalar(const std::string& tag, std::int64_t step, double value) {
  // Summary {1: Value {1: tag, 2: float simple_value}} as field 5 of Event
  const std::string entry =
      with_length('\x0a', tag) + '\x15' + little_endian(static_cast<float>(value));
  record(event_head(step) + with_length('\x2a', with_length('\x0a', entry)));
}

void EventFile::record(const std::string& event) {
  const std::string length = little_endian(static_cast<std::uint64_t>(event.size()));
  file_.add(length + little_endian(masked_crc(length)) + event + little_endian(masked_crc(event)));
}

}  // namespace hinny

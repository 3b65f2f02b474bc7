#include "index/tree/film_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/file_calls.h"
#include "index/tree/file_kinds.h"

namespace hinny {
namespace {

constexpr std::string_view kMoment = "#t=";

// Seconds as seconds_text writes them, and no other.
std::optional<std::int64_t> parse_seconds(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, whole);
  if (error != std::errc() || whole < 0 || whole > kMost) return std::nullopt;
  std::int64_t moment = 1000 * whole;
  if (at != end && *at == '.') {
    for (std::int64_t digit = 100; ++at != end && digit > 0 && *at >= '0' && *at <= '9';
         digit /= 10)
      moment += digit * (*at - '0');
  }
  return seconds_text(moment) == text ? std::optional(moment) : std::nullopt;
}

}  // namespace

std::string seconds_text(std::int64_t at) {
  std::string text = fmt::format("{}.{:03}", at / 1000, at % 1000);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string frame_id(std::string_view file_id, std::int64_t at) {
  return fmt::format("{}{}{}", file_id, kMoment, seconds_text(at));
}

std::optional<std::int64_t> frame_moment(std::string_view id, std::string_view file) {
  const std::size_t mark = id.rfind(kMoment);
  if (mark == std::string_view::npos || !may_have_frames(file)) {
    return std::nullopt;
  }
  return parse_seconds(id.substr(mark + kMoment.size()));
}

std::string moments_text(const std::vector<std::int64_t>& moments) {
  std::string text;
  for (const std::int64_t at : moments) text += (text.empty() ? "" : " ") + seconds_text(at);
  return text;
}

std::optional<std::vector<std::int64_t>> parse_moments(std::string_view text) {
  std::vector<std::int64_t> moments;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto moment = parse_seconds(text.substr(0, end));
    if (!moment || (!moments.empty() && *moment <= moments.back())) return std::nullopt;
    moments.push_back(*moment);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return moments;
}

std::string clock_text(std::int64_t at) {
  const std::int64_t seconds = at / 1000;
  const std::int64_t hours = seconds / 3600, minutes = seconds / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, seconds % 60)
                   : fmt::format("{}:{:02}", minutes, seconds % 60);
}

std::string frame_content(const std::string& film_content, std::int64_t at) {
  return content_hash(std::string_view(frame_id(film_content, at)));
}

std::string film_content(const std::filesystem::path& film) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kBlocks = 16;
  const OpenFile file(film);
  if (file.size() <= 2 * kBlock * kBlocks) return content_hash(film);
  std::string sample = fmt::format("{}\n", file.size());
  std::string block(kBlock, '\0');
  for (std::uint64_t i = 0; i < kBlocks; ++i) {
    const std::uint64_t at = (file.size() - kBlock) / (kBlocks - 1) * i;
    const std::uint64_t offset = i + 1 == kBlocks ? file.size() - kBlock : at;
    const ssize_t count =
        read_all_at(file.descriptor(), offset, std::as_writable_bytes(std::span(block)));
    if (count < 0) throw_unreadable(film, "cannot read");
    sample += content_hash(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
  }
  return content_hash(std::string_view(sample));
}

}  // namespace hinny

#include "vision/picture_stream.h"

#include <array>
#include <cstring>
#include <optional>

namespace hinny::picture_stream {
namespace {

constexpr std::array kTexts = {
    &PictureNotes::original, &PictureNotes::digitized, &PictureNotes::written, &PictureNotes::xmp,
    &PictureNotes::more_xmp, &PictureNotes::make,      &PictureNotes::model,   &PictureNotes::lens};
constexpr std::array kNumbers = {
    &PictureNotes::latitude, &PictureNotes::longitude, &PictureNotes::exposure,
    &PictureNotes::aperture, &PictureNotes::speed,     &PictureNotes::focal_length,
    &PictureNotes::width,    &PictureNotes::height,    &PictureNotes::frames};

template <typename Value>
void put(std::string& text, const Value& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename Value>
bool take(std::string_view& text, Value& value) {
  if (text.size() < sizeof value) return false;
  std::memcpy(&value, text.data(), sizeof value);
  text.remove_prefix(sizeof value);
  return true;
}

}  // namespace

std::string notes_text(const PictureNotes& notes) {
  std::string text;
  for (const auto number : kNumbers) {
    put(text, (notes.*number).has_value() ? 1 : 0);
    put(text, (notes.*number).value_or(0));
  }
  for (const auto member : kTexts) {
    put(text, std::uint64_t{(notes.*member).size()});
    text += notes.*member;
  }
  return text;
}

std::string scenes_text(const std::vector<std::int64_t>& moments) {
  std::string text;
  for (const std::int64_t at : moments) put(text, at);
  return text;
}

bool read_scenes_text(std::string_view text, int most, std::vector<std::int64_t>& moments) {
  std::int64_t last = -1, at = 0;
  while (take(text, at)) {
    if (at <= last || moments.size() >= static_cast<std::size_t>(most)) return false;
    moments.push_back(last = at);
  }
  return text.empty() && !moments.empty();
}

bool read_notes_text(std::string_view text, PictureNotes& notes) {
  for (const auto number : kNumbers) {
    int there = 0;
    double value = 0;
    if (!take(text, there) || !take(text, value)) return false;
    if (there != 0) notes.*number = value;
  }
  for (const auto member : kTexts) {
    std::uint64_t size = 0;
    if (!take(text, size) || size > text.size()) return false;
    notes.*member = text.substr(0, static_cast<std::size_t>(size));
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return text.empty();
}

}  // namespace hinny::picture_stream

#include "index/asking/shown_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hinny {
namespace {

double megapixels(const FolderFacts::Size& size) {
  return static_cast<double>(size.width) * static_cast<double>(size.height) / 1e6;
}

// The number that `text` begins with, above 0, which is taken from it.
template <typename Number>
std::optional<Number> take(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > Number{0})) return std::nullopt;
  if (!std::isfinite(static_cast<double>(number))) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

}  // namespace

std::optional<SizeBound> parse_size_bound(std::string_view text) {
  std::string_view sides = text;
  if (const auto width = take<std::int64_t>(sides); width && sides.starts_with('x')) {
    sides.remove_prefix(1);
    const auto height = take<std::int64_t>(sides);
    return height && sides.empty() ? std::optional(SizeBound{*width, *height, 0}) : std::nullopt;
  }
  const auto millions = take<double>(text);
  skip_blanks(text);
  if (!millions || (text != "MP" && text != "mp" && text != "Mp")) return std::nullopt;
  return SizeBound{0, 0, *millions};
}

std::string size_bound_text(const SizeBound& bound) {
  if (bound.megapixels > 0) return fmt::format("{} MP", bound.megapixels);
  return fmt::format("{} x {} pixels", bound.width, bound.height);
}

bool at_least(const FolderFacts::Size& size, const SizeBound& bound) {
  return is_known(size) && size.width >= bound.width && size.height >= bound.height &&
         megapixels(size) >= bound.megapixels;
}

bool at_most(const FolderFacts::Size& size, const SizeBound& bound) {
  const auto within = [](auto number, auto most) { return most == 0 || number <= most; };
  return is_known(size) && within(size.width, bound.width) && within(size.height, bound.height) &&
         (bound.megapixels <= 0 || megapixels(size) <= bound.megapixels);
}

Shape shape_of(const FolderFacts::Size& size) {
  if (!is_known(size)) return Shape::any;
  const auto [shorter, longer] = std::minmax(size.width, size.height);
  if (longer - shorter <= longer / 50) return Shape::square;
  return size.width > size.height ? Shape::landscape : Shape::portrait;
}

}  // namespace hinny

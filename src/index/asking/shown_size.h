// How large a picture is, and which way it lies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/folder/folder_facts.h"

namespace hinny {

// A bound of sizes: sides in pixels, or millions of pixels; 0: not bounded by that.
struct SizeBound {
  std::int64_t width = 0, height = 0;
  double megapixels = 0;
};

inline bool is_known(const FolderFacts::Size& size) { return size.width > 0 && size.height > 0; }

// "1920x1080", "12MP", "0.5 mp". nullopt for anything else.
std::optional<SizeBound> parse_size_bound(std::string_view text);
std::string size_bound_text(const SizeBound& bound);

// Both false where the size is not known.
bool at_least(const FolderFacts::Size& size, const SizeBound& bound);
bool at_most(const FolderFacts::Size& size, const SizeBound& bound);

// Sides that differ by a fiftieth or less are a square.
enum class Shape { any, landscape, portrait, square };
inline constexpr std::array<std::string_view, 4> kShapes = {"any", "landscape", "portrait",
                                                            "square"};
// `any` where the size is not known.
Shape shape_of(const FolderFacts::Size& size);

}  // namespace hinny

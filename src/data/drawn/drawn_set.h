// The drawn picture set, Hinny's embedded default data: docs/formats/drawn.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/drawn/scene.h"

namespace hinny::drawn {

struct SetOptions {
  int images = 1000;  // at least kFewestImages
  std::uint64_t seed = 1;
};
inline constexpr int kFewestImages = 10;
inline constexpr int kMostImages = 1'000'000;
inline constexpr std::size_t kCaptionsPerLanguage = 3;

// Picture number `index` of a set; does not depend on how many there are.
Scene set_scene(const SetOptions& options, int index);
// Its captions in the language with this position in languages(), all different.
std::vector<std::string> set_captions(const SetOptions& options, int index, const Scene& scene,
                                      std::size_t language);
// "train", "val" or "test".
std::string_view split_of(int index, int images);

enum class Outcome { drawn, already_there };

// Writes the dataset folder as a whole or not at all; equal options give equal bytes. A folder
// that already holds the same set is left as it is, another drawn set is replaced, and anything
// else that is not an empty folder is an InputError. Throws Interrupted on Ctrl-C.
Outcome draw_set(const std::filesystem::path& folder, const SetOptions& options);

}  // namespace hinny::drawn

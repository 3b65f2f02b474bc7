// What one caption says of a scene, before any language puts it into words.
#pragma once

#include <optional>
#include <vector>

#include "data/drawn/scene.h"

namespace hinny::drawn {

// A group as a caption mentions it. Kind and count are always said.
struct Mention {
  Kind kind = Kind::ball;
  int count = 1;
  std::optional<Color> color;  // empty: not said
  std::optional<Size> size;    // empty: not said

  friend bool operator==(const Mention&, const Mention&) = default;
};

enum class Pattern : std::uint8_t {
  phrase,    // a red ball and two fish in the snow
  there,     // in the snow there are a red ball and two fish
  shows,     // the picture shows a red ball and two fish
  relation,  // a red ball is left of two fish; a third mention is added loosely
};
inline constexpr int kWordings = 3;

struct Plan {
  Pattern pattern = Pattern::phrase;
  std::vector<Mention> mentions;         // 2 to 4; with a relation 2 or 3
  std::optional<Relation> relation;      // of mentions[0] to mentions[1]; set for Pattern::relation
  std::optional<Background> background;  // empty: not said
  int wording = 0;  // 0 to kWordings - 1: which sentence a language makes of it
};

// `count` plans for one picture, at most 3, each of another pattern and no two saying
// the same. The first two mentions of each have colours.
std::vector<Plan> plan_captions(const Scene& scene, std::size_t count, Random& random);

}  // namespace hinny::drawn

// How vectors compare.
#pragma once

#include "base/choice.h"

namespace hinny {

// How two vectors compare: by dot product, or by order, in which a caption lies above its image:
// -|max(0, caption - image)|^2 (Vendrov et al. 2016).
enum class Score { dot, order };

template <>
struct Choices<Score> {
  static constexpr Choice<Score> all[] = {{Score::dot, "dot"}, {Score::order, "order"}};
};

}  // namespace hinny

// Features without any download: which colours, which shapes, how many, how large and where.
#pragma once

#include <string_view>
#include <vector>

#include "vision/picture.h"

namespace hinny {

// The version is part of the name, so that a model trained on one version's features refuses
// another's.
constexpr std::string_view kBuiltinName = "builtin-1";

// How many numbers describe a picture.
int builtin_size();

// Deterministic; safe to call from several threads. Pictures are squashed to 224 x 224 first.
std::vector<float> describe_picture(const Picture& picture);

}  // namespace hinny

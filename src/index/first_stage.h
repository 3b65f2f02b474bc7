// A shortlist of pictures from the index of another, faster model.
#pragma once

#include <filesystem>
#include <memory>

#include "index/ask.h"

namespace hinny {

// The question's `rerank` best pictures there, as far as `index` holds images of the same ids. For
// one thread. Throws InputError when `folder` holds no index.
std::function<std::vector<std::size_t>(const Question&)> first_stage(
    const std::filesystem::path& folder, const Index& index);

}  // namespace hinny

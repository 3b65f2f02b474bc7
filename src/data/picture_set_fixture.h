// For tests: a dataset folder of numbered pictures, without its features' numbers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/atomic_file.h"

namespace hinny {

// Images p0, p1, ... of split test with the English caption "a", in `folder`; p3 has no file.
inline void write_picture_set(const std::filesystem::path& folder, int count) {
  std::filesystem::create_directories(folder / "features");
  std::string images, captions, ids;
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("p{}", i);
    const std::string file = i == 3 ? "" : fmt::format(R"(,"file":"{}.jpg")", id);
    images += fmt::format(R"({{"image":"{}","split":"test"{}}})", id, file);
    captions +=
        fmt::format(R"({{"image":"{}","lang":"en","text":"a","source":"human-original"}})", id);
    images += '\n', captions += '\n', ids += id + '\n';
  }
  write_file(folder / "images.jsonl", images);
  write_file(folder / "captions.jsonl", captions);
  write_file(folder / "features/ids.txt", ids);
}

}  // namespace hinny

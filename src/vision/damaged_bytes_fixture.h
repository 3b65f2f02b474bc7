// For tests: files as disks, networks and strangers leave them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/random.h"

namespace hinny {

// One of eight amounts of damage, each third time cut off.
inline std::string damaged(const std::string& whole, int round, Random& random) {
  std::string bytes = whole;
  if (round % 3 == 0) bytes.resize(static_cast<std::size_t>(random.below(whole.size())));
  const int flips = 1 << (round % 8);
  // Half of them where the file says what is where.
  for (int i = 0; i < flips && !bytes.empty(); ++i) {
    const std::size_t most = i % 2 == 0 ? std::min<std::size_t>(bytes.size(), 600) : bytes.size();
    bytes[static_cast<std::size_t>(random.below(most))] = static_cast<char>(random.below(256));
  }
  return bytes;
}

// How many files of each kind: what HINNY_DAMAGE says, if that is more.
inline int damaged_files(int least) {
  const char* given = std::getenv("HINNY_DAMAGE");
  const std::string_view asked = given == nullptr ? "" : given;
  int files = 0;
  std::from_chars(asked.data(), asked.data() + asked.size(), files);
  return std::max(least, files);
}

}  // namespace hinny

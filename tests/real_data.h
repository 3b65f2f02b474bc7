// Real captions and features for tests that can use them: the folder that HINNY_DATA names.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace hinny {

// Empty when HINNY_DATA is unset or empty: skip the test with a message.
inline std::filesystem::path real_data() {
  const char* folder = std::getenv("HINNY_DATA");
  return folder == nullptr ? "" : folder;
}

}  // namespace hinny

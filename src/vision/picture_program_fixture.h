// For tests: who decodes pictures.
#pragma once

#include <chrono>
#include <filesystem>

#include "vision/picture_program.h"
#include "vision/picture_stream.h"

namespace hinny {

inline std::filesystem::path picture_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / picture_stream::kProgram;
}

// As it is where nothing else was set.
inline void decode_by_the_program() {
  set_picture_program(picture_program(), std::chrono::seconds(picture_stream::kMostSeconds));
}

}  // namespace hinny

#include "base/problem_text.h"

#include <fmt/format.h>

#include <filesystem>

namespace hinny {

std::string problem_text(const std::exception& problem) {
  const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&problem);
  if (of_file == nullptr) return problem.what();
  std::string files = of_file->path1().string();
  if (!of_file->path2().empty()) files += " -> " + of_file->path2().string();
  return fmt::format("{}{}{}", files, files.empty() ? "" : ": ", of_file->code().message());
}

}  // namespace hinny

#include "cli/version.h"

#include <fmt/format.h>

#include "commit.h"  // made at each build, by cmake/commit.cmake

namespace hinny {

std::string version_line() {
  const std::string commit = HINNY_COMMIT;
  return fmt::format("hinny {} ({}{}, {})", HINNY_VERSION, commit.empty() ? "" : commit + ", ",
                     HINNY_BUILD_TYPE, HINNY_COMPILER);
}

}  // namespace hinny

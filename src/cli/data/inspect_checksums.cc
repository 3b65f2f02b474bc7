#include <fmt/format.h>

#include "base/checksums.h"
#include "base/error.h"
#include "cli/data/inspect_kinds.h"
#include "index/folder/index.h"

namespace hinny {
namespace fs = std::filesystem;

nlohmann::ordered_json inspect_checksums(const fs::path& folder) {
  if (!fs::exists(folder / kContentsFile)) {
    throw InputError(folder, "is no index, and nothing else has checksums",
                     "a folder that `hinny index` wrote");
  }
  if (!fs::exists(folder / kChecksumsFile)) {
    throw InputError(folder, "has no checksums: an earlier version wrote it, or they were removed",
                     fmt::format("{}, which any change of the index brings", kChecksumsFile));
  }
  ChecksumReport report;
  verify_checksums(folder, report);
  return {{"kind", "checksums"},
          {"files", report.files},
          {"bytes", report.bytes},
          {"damaged", report.problems}};
}

}  // namespace hinny

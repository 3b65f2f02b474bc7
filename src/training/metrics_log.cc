#include "training/metrics_log.h"

#include "base/files.h"

namespace hinny {
namespace {

// The file with its lines up to `step`.
const std::filesystem::path& cut(const std::filesystem::path& file, std::int64_t step) {
  std::string kept;
  if (std::filesystem::exists(file)) {
    for_each_line(file, [&](std::string_view text, std::size_t) {
      const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
      // A line that was cut off by a kill is not JSON, and goes.
      if (line.is_object() && line.value("step", step + 1) <= step)
        kept += std::string(text) + "\n";
    });
  }
  write_file(file, kept);
  return file;
}

}  // namespace

MetricsLog::MetricsLog(const std::filesystem::path& file, std::int64_t step)
    : file_(cut(file, step)) {}

void MetricsLog::add(const nlohmann::json& line) { file_.add(line.dump() + "\n"); }

}  // namespace hinny

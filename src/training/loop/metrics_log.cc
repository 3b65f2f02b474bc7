#include "training/loop/metrics_log.h"

#include "base/atomic_file.h"
#include "base/lines.h"

namespace hinny {
namespace {

// Without what was written after the checkpoint.
const std::filesystem::path& cut(const std::filesystem::path& file, std::int64_t step,
                                 bool gathers) {
  std::string kept;
  if (std::filesystem::exists(file)) {
    for_each_line(file, [&](std::string_view text, std::size_t) {
      const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
      // A line that was cut off by a kill is not JSON, and goes.
      if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer()) return;
      const auto at = line["step"].get<std::int64_t>();
      if (at < step || (at == step && !(gathers && line.contains("loss")))) {
        kept += std::string(text) + "\n";
      }
    });
  }
  write_file(file, kept);
  return file;
}

}  // namespace

MetricsLog::MetricsLog(const std::filesystem::path& file, std::int64_t step, bool gathers)
    : file_(cut(file, step, gathers)) {}

void MetricsLog::add(const nlohmann::json& line) { file_.add(line.dump() + "\n"); }

}  // namespace hinny

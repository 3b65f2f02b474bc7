#include "training/metrics_log.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/files.h"

namespace hinny {

MetricsLog::MetricsLog(std::filesystem::path file, std::int64_t step) : file_(std::move(file)) {
  std::string kept;
  if (std::filesystem::exists(file_)) {
    for_each_line(file_, [&](std::string_view text, std::size_t) {
      const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
      // A line that was cut off by a kill is not JSON, and goes.
      if (line.is_object() && line.value("step", step + 1) <= step)
        kept += std::string(text) + "\n";
    });
  }
  write_file(file_, kept);
  descriptor_ = open_file(file_, O_WRONLY | O_APPEND);
  if (descriptor_ < 0) throw Failure::from_errno("cannot write " + file_.string());
}

MetricsLog::~MetricsLog() { ::close(descriptor_); }

void MetricsLog::add(const nlohmann::json& line) {
  if (!write_all(descriptor_, line.dump() + "\n")) {
    throw Failure::from_errno("cannot write " + file_.string());
  }
}

}  // namespace hinny

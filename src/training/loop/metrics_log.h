// RUN/metrics.jsonl: one line per block of steps and per validation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/append_file.h"

namespace hinny {

// Appends lines, each with a "step". Opening drops what was written after the checkpoint, so that a
// resumed training's log is that of an unbroken one: lines of later steps than `step`, and where
// `gathers` that step's own block ("loss"), whose sums the checkpoint still holds.
class MetricsLog {
 public:
  MetricsLog(const std::filesystem::path& file, std::int64_t step, bool gathers);

  // Throws Failure when the disk does not take it.
  void add(const nlohmann::json& line);
  // Before a checkpoint, which says that its steps are done.
  void sync() { file_.sync(); }

 private:
  AppendFile file_;
};

}  // namespace hinny

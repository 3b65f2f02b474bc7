// RUN/metrics.jsonl: one line per block of steps and per validation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/append_file.h"

namespace hinny {

// Appends lines, each with a "step". Opening drops lines of later steps than `step`, so that a
// resumed training's log is that of an unbroken one.
class MetricsLog {
 public:
  MetricsLog(const std::filesystem::path& file, std::int64_t step);

  // Throws Failure when the disk does not take it.
  void add(const nlohmann::json& line);

 private:
  AppendFile file_;
};

}  // namespace hinny

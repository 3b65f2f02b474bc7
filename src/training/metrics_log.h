// RUN/metrics.jsonl: one line per block of steps and per validation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace hinny {

// Appends lines, each with a "step". Opening drops lines of later steps than `step`, so that a
// resumed training's log is that of an unbroken one.
class MetricsLog {
 public:
  MetricsLog(std::filesystem::path file, std::int64_t step);
  ~MetricsLog();
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;

  // Throws Failure when the disk does not take it.
  void add(const nlohmann::json& line);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace hinny

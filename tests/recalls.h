// What `hinny eval --json` says.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/program.h"

namespace hinny {

// Recall by language, of `hinny ARGUMENTS...`; none, and a failure of the test, where it fails.
inline std::map<std::string, double> recalls_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_hinny(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, double> recall;
  const auto table = nlohmann::json::parse(outcome.out, nullptr, false);
  if (table.is_discarded()) return recall;
  for (const auto& [language, row] : table["languages"].items()) {
    recall[language] = row["mean_recall"].get<double>();
  }
  return recall;
}

}  // namespace hinny

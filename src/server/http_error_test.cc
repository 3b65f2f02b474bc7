#include "server/http_error.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hinny {
namespace {

// Shown by curl on a terminal.
TEST(HttpErrorText, HoldsNothingThatATerminalObeys) {
  const std::string message = "no image 'a\x1b[31m\n\x7f\u009b\u202e'";
  const std::string json = error_json(404, message);
  for (const char* raw : {"\x1b", "\n", "\x7f", "\u009b", "\u202e"}) {
    EXPECT_EQ(json.find(raw), std::string::npos);
  }
  EXPECT_EQ(nlohmann::json::parse(json)["error"]["message"], message);
}

}  // namespace
}  // namespace hinny

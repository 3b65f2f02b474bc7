// Names of the cases of a parameterised test, which ctest and GoogleTest show: without one a case
// is a number, or the bytes of its parameter.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace hinny {

// ".tif" -> tif, "nmt-1" -> nmt_1: GoogleTest takes letters, digits and '_'.
inline std::string parameter_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  std::string name(std::find_if(text.begin(), text.end(), letter), text.end());
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !letter(c); }, '_');
  return name;
}

// The last argument of INSTANTIATE_TEST_SUITE_P where parameters are text.
struct NamedByText {
  template <typename Text>
  std::string operator()(const testing::TestParamInfo<Text>& info) const {
    return parameter_name(info.param);
  }
};

}  // namespace hinny

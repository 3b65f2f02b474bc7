// What to say of a problem that nobody expected.
#pragma once

#include <exception>
#include <string>

namespace hinny {

// what(); of std::filesystem's errors "FILE: Permission denied" instead of the library's own words.
std::string problem_text(const std::exception& problem);

}  // namespace hinny

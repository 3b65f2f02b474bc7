// For tests of what a host program's locale must not change.
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/scratch.h"

namespace hinny {

// While it lives this process has a locale whose numbers have a comma, which it makes: few machines
// have one installed. on() is false where that cannot be made.
class DecimalComma {
 public:
  DecimalComma() {
    const std::string locale = scratch_ / "de_DE.UTF-8";
    const std::string make = "localedef -i de_DE -f UTF-8 '" + locale + "' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0 && !std::filesystem::exists(locale)) return;
    ::setenv("LOCPATH", static_cast<const std::filesystem::path&>(scratch_).c_str(), 1);
    on_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr &&
          std::string(std::localeconv()->decimal_point) == ",";
  }
  ~DecimalComma() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

  bool on() const { return on_; }

 private:
  Scratch scratch_;
  bool on_ = false;
};

}  // namespace hinny

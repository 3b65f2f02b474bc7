// Regular expressions as tokenizer.json has them.
#pragma once

#include <unicode/regex.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hinny {

// Compiled once; safe to share between threads.
class Pattern {
 public:
  // `expression` as Oniguruma reads it: \s, \w and \d go by Unicode. Throws InputError, naming
  // `file`, for what ICU does not take.
  Pattern(const std::string& expression, const std::filesystem::path& file);

  // [begin, end) of each match in `text`, in bytes; none is empty. Throws InputError where
  // matching takes beyond reason, as made-up expressions can.
  std::vector<std::pair<std::size_t, std::size_t>> find(std::string_view text) const;
  // With `replacement` as it stands for each match.
  std::string replace(std::string_view text, std::string_view replacement) const;

 private:
  std::filesystem::path file_;
  std::string expression_;
  std::unique_ptr<icu::RegexPattern> compiled_;
};

}  // namespace hinny

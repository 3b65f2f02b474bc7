// Rows of a table as text: CSV, TSV, and fields parted by ';' or '|'.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

inline constexpr std::size_t kLongestRow = std::size_t{1} << 20U;  // bytes

// Lines in, rows out. A field may stand in quotes (RFC 4180): with separators, line ends and
// doubled quotes inside. Between '|' a quote is a letter; in a TSV it is one where its field goes
// on after it.
class DelimitedRows {
 public:
  using Use = std::function<void(std::vector<std::string>& fields, const Place& place)>;
  DelimitedRows(std::filesystem::path file, char separator, Use use)
      : file_(std::move(file)), separator_(separator), use_(std::move(use)) {}

  // The next line, without its end. InputErrors name the line in which the row begins: what
  // follows a closing quote, a row above kLongestRow. Blank lines are no rows.
  void add(std::string_view line, std::size_t number);
  void finish();  // InputError when a quote is open

 private:
  enum class State { start, plain, quoted, after_quote };
  void take(char letter);
  void end_field();

  std::filesystem::path file_;
  char separator_;
  Use use_;
  State state_ = State::start;
  std::vector<std::string> fields_;
  std::string field_;
  std::size_t size_ = 0;   // of the row so far
  std::size_t begin_ = 0;  // its first line
};

// One line's fields; none where it is not a whole row.
std::vector<std::string> fields_of(std::string_view line, char separator);

}  // namespace hinny

// One pass over a .vec file, shared by the strict reader and the import.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "base/lines.h"

namespace hinny {

// One line of a .vec file, its numbers not looked at yet.
class VecLine {
 public:
  VecLine(const std::filesystem::path& file, std::size_t line, std::string_view word,
          std::string_view numbers)
      : file_(file), line_(line), word_(word), numbers_(numbers) {}

  std::string_view word() const { return word_; }
  std::size_t line() const { return line_; }
  // Fills `out`, as long as the file's vectors; InputError for what is no finite number.
  void parse(std::span<float> out) const;

 private:
  const std::filesystem::path& file_;
  std::size_t line_;
  std::string_view word_;
  std::string_view numbers_;
};

// Calls use(line, dim) for every word of the file, in its order. The number of values is checked
// on every line and the number of lines at the end; see read_word_vectors() for the errors.
void for_each_vec_line(const std::filesystem::path& path, Encoding encoding,
                       const std::function<void(const VecLine& line, std::size_t dim)>& use);

}  // namespace hinny

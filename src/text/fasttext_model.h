// fastText's binary models (.bin), read without loading them: only the dictionary is walked
// through, and only the rows that a word needs are fetched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace hinny {

// True when the file starts as a fastText model does; a gzip file is looked into.
bool is_fasttext_model(const std::filesystem::path& path);

// InputErrors: another format or version, a quantised model (.ftz), sizes that do not fit the
// file, a compressed file. Not safe for concurrent use: it moves a file position.
class FastTextModel {
 public:
  explicit FastTextModel(const std::filesystem::path& path);

  std::size_t dim() const { return static_cast<std::size_t>(args_.dim); }
  // Calls use(word, id) for every word of the dictionary, the frequent ones first. Call it once,
  // before vector(): it checks the rest of the file and finds where the rows are.
  void for_each_word(const std::function<void(std::string_view word, std::int32_t id)>& use);

  // The word's vector as fastText gives it, the mean of its own row and those of its character
  // n-grams, into `out` [dim]. `id` is the word's, or kNoId for one that the dictionary lacks:
  // false, and `out` untouched, when such a word has no n-grams either.
  bool vector(std::string_view word, std::int32_t id, std::span<float> out);
  static constexpr std::int32_t kNoId = -1;

 private:
  // What the model was trained with, as far as vectors depend on it.
  struct Args {
    std::int32_t dim = 0;
    std::int32_t bucket = 0;  // rows that n-grams are hashed into
    std::int32_t shortest = 0;
    std::int32_t longest = 0;
  };
  struct Counts {
    std::int32_t entries = 0;
    std::int32_t words = 0;
    std::int64_t pruned = 0;
  };

  template <typename T>
  T read(std::string_view what);
  void read_args();
  void read_counts();
  void find_rows();
  void add_ngrams(std::string_view word, std::vector<std::int64_t>& rows) const;
  void add_row(std::int64_t row, std::span<double> sum);

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;  // of the file, in bytes
  Args args_;
  Counts counts_;
  std::int64_t rows_ = 0;
  std::uint64_t rows_offset_ = 0;
  std::vector<float> buffer_;  // one row
};

}  // namespace hinny

#include "text/fasttext_model.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "base/unpacked_file.h"

namespace hinny {
namespace {

constexpr std::int32_t kMagic = 793712314;
constexpr std::int32_t kVersion = 12;
constexpr std::int32_t kVersionWithoutSupervisedNgrams = 11;
constexpr std::int32_t kSupervised = 3;
constexpr std::int32_t kMostDimensions = 1 << 16;
constexpr std::int32_t kLongestNgram = 1 << 10;
constexpr std::size_t kLongestWord = 1U << 16U;
constexpr std::uint64_t kSmallestEntry = 1 + 8 + 1;  // an empty word, its count, its type
constexpr std::string_view kSentenceEnd = "</s>";

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// FNV-1a, with each byte widened as a signed number: a quirk that the models are made of.
std::uint32_t hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char byte : text) {
    value ^= static_cast<std::uint32_t>(static_cast<std::int8_t>(byte));
    value *= 16777619U;
  }
  return value;
}

}  // namespace

bool is_fasttext_model(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  UnpackedFile file(path);
  std::array<char, sizeof(std::int32_t)> bytes{};
  if (file.read(bytes.data(), bytes.size()) != bytes.size()) return false;
  std::int32_t magic = 0;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic != kMagic) return false;
  if (file.packed()) {
    throw InputError(path, "a compressed fastText model", "an uncompressed one: gunzip it first");
  }
  return true;
}

FastTextModel::FastTextModel(const std::filesystem::path& path)
    : path_(path), file_(path, std::ios::binary) {
  std::error_code problem;
  size_ = std::filesystem::file_size(path, problem);
  if (!file_ || problem) throw InputError(path, "cannot open", "a readable file");
  read_args();
  read_counts();
  buffer_.resize(dim());
}

template <typename T>
T FastTextModel::read(std::string_view what) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::array<char, sizeof(T)> bytes;
  if (!file_.read(bytes.data(), sizeof(T))) {
    throw InputError(path_, fmt::format("the file ends in {}", what), "a whole fastText model");
  }
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

void FastTextModel::read_args() {
  constexpr std::string_view what = "its settings";
  if (read<std::int32_t>(what) != kMagic) throw InputError(path_, "no fastText model", ".bin");
  const auto version = read<std::int32_t>(what);
  if (version != kVersion && version != kVersionWithoutSupervisedNgrams) {
    throw InputError(path_, fmt::format("fastText model version {}", version), "11 or 12");
  }
  // dim, window, epochs, least count, negatives, word n-grams, loss, model, buckets, shortest
  // and longest character n-gram, learning rate updates; then the sampling threshold.
  std::array<std::int32_t, 12> settings{};
  for (std::int32_t& setting : settings) setting = read<std::int32_t>(what);
  read<double>(what);
  args_ = {settings[0], settings[8], settings[9], settings[10]};
  if (version == kVersionWithoutSupervisedNgrams && settings[7] == kSupervised) args_.longest = 0;
  if (args_.dim < 1 || args_.dim > kMostDimensions || args_.bucket < 0 || args_.shortest < 0 ||
      args_.longest < 0 || args_.longest > kLongestNgram) {
    throw InputError(path_,
                     fmt::format("dim {}, {} buckets, n-grams of {} to {} letters", args_.dim,
                                 args_.bucket, args_.shortest, args_.longest),
                     "a whole fastText model");
  }
}

void FastTextModel::read_counts() {
  constexpr std::string_view what = "its dictionary";
  counts_.entries = read<std::int32_t>(what);
  counts_.words = read<std::int32_t>(what);
  const auto labels = read<std::int32_t>(what);
  read<std::int64_t>(what);  // tokens
  counts_.pruned = read<std::int64_t>(what);
  if (counts_.words < 0 || labels < 0 || counts_.entries < 0 ||
      counts_.entries != static_cast<std::int64_t>(counts_.words) + labels ||
      static_cast<std::uint64_t>(counts_.entries) * kSmallestEntry > size_) {
    throw InputError(path_,
                     fmt::format("a dictionary of {} words and {} labels, {} in all", counts_.words,
                                 labels, counts_.entries),
                     "numbers that fit the file");
  }
  if (counts_.pruned >= 0) {
    throw InputError(path_, "a quantised fastText model (.ftz)", "the .bin before quantisation");
  }
}

void FastTextModel::for_each_word(const std::function<void(std::string_view, std::int32_t)>& use) {
  std::string word(kLongestWord, '\0');
  for (std::int32_t id = 0; id < counts_.entries; ++id) {
    file_.getline(word.data(), static_cast<std::streamsize>(word.size()), '\0');
    if (!file_) throw InputError(path_, fmt::format("word {} has no end", id), "a whole file");
    const auto length = static_cast<std::size_t>(file_.gcount()) - (file_.eof() ? 0 : 1);
    read<std::int64_t>("its dictionary");  // count
    const auto type = read<std::int8_t>("its dictionary");
    if (type != (id < counts_.words ? 0 : 1)) {
      throw InputError(path_, fmt::format("entry {} of type {}", id, type), "words, then labels");
    }
    if (type == 0) use(std::string_view(word).substr(0, length), id);
  }
  find_rows();
}

void FastTextModel::find_rows() {
  constexpr std::string_view what = "its matrix";
  if (read<std::uint8_t>(what) != 0) {
    throw InputError(path_, "a quantised fastText model (.ftz)", "the .bin before quantisation");
  }
  rows_ = read<std::int64_t>(what);
  const auto columns = read<std::int64_t>(what);
  rows_offset_ = static_cast<std::uint64_t>(file_.tellg());
  const std::int64_t expected = std::int64_t{counts_.words} + args_.bucket;
  if (columns != args_.dim || rows_ != expected) {
    throw InputError(path_, fmt::format("a matrix [{}, {}]", rows_, columns),
                     fmt::format("[{}, {}]", expected, args_.dim));
  }
  // At most 2^32 rows of 2^18 bytes: no overflow.
  if (static_cast<std::uint64_t>(rows_) * dim() * sizeof(float) > size_ - rows_offset_) {
    throw InputError(path_, "the file ends in its matrix", "a whole fastText model");
  }
}

void FastTextModel::add_ngrams(std::string_view word, std::vector<std::int64_t>& rows) const {
  if (args_.bucket == 0 || word == kSentenceEnd) return;
  const std::string marked = fmt::format("<{}>", word);
  for (std::size_t begin = 0; begin < marked.size(); ++begin) {
    if (continues_character(marked[begin])) continue;
    std::size_t end = begin;
    for (int letters = 1; letters <= args_.longest && end < marked.size(); ++letters) {
      do ++end;
      while (end < marked.size() && continues_character(marked[end]));
      const bool only_a_mark = letters == 1 && (begin == 0 || end == marked.size());
      if (letters < args_.shortest || only_a_mark) continue;
      const std::uint32_t bucket = hash(std::string_view(marked).substr(begin, end - begin)) %
                                   static_cast<std::uint32_t>(args_.bucket);
      rows.push_back(std::int64_t{counts_.words} + bucket);
    }
  }
}

void FastTextModel::add_row(std::int64_t row, std::span<double> sum) {
  const std::uint64_t bytes = dim() * sizeof(float);
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(rows_offset_ + static_cast<std::uint64_t>(row) * bytes));
  if (!file_.read(reinterpret_cast<char*>(buffer_.data()), static_cast<std::streamsize>(bytes))) {
    throw Failure("cannot read " + path_.string());
  }
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(buffer_[i]);
}

bool FastTextModel::vector(std::string_view word, std::int32_t id, std::span<float> out) {
  std::vector<std::int64_t> rows;
  if (id != kNoId) rows.push_back(id);
  add_ngrams(word, rows);
  if (rows.empty()) return false;
  std::vector<double> sum(dim());
  for (const std::int64_t row : rows) add_row(row, sum);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    out[i] = static_cast<float>(sum[i] / static_cast<double>(rows.size()));
    if (!std::isfinite(out[i])) {
      throw InputError(path_, fmt::format("the vector of '{}'", word), "finite numbers");
    }
  }
  return true;
}

}  // namespace hinny

#include "data/teacher_vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/lines.h"
#include "base/terminal_text.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using Sentences = std::unordered_map<std::string, std::int64_t>;  // rows

NpyArray open_rows(const fs::path& path) {
  NpyArray array = NpyArray::open(path);
  if (array.shape().size() != 2 || array.rows() == 0) {
    throw InputError(path, fmt::format("shape ({})", fmt::join(array.shape(), ", ")),
                     "(sentences, numbers of a vector), and one sentence or more");
  }
  return array;
}

Sentences read_sentences(const fs::path& path, const fs::path& npy, std::int64_t rows) {
  Sentences sentences;
  std::int64_t count = 0;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    const std::string_view sentence = trimmed(text);
    if (sentence.empty()) throw InputError(path, line, "empty line", "a sentence");
    sentences.emplace(sentence, count++);
  });
  if (count == rows) return sentences;
  throw InputError(path, fmt::format("{} sentences", count),
                   fmt::format("{}, one for each row of {}", rows, npy.filename().string()));
}

// A vector has a direction.
void check_numbers(const NpyArray& array, const fs::path& path) {
  if (const std::int64_t row = array.first_bad_row(); row >= 0) {
    throw InputError(path, fmt::format("NaN or infinity in row {}", row), "finite numbers");
  }
  std::vector<float> numbers(static_cast<std::size_t>(array.row_size()));
  for (std::int64_t row = 0; row < array.rows(); ++row) {
    array.row(row, numbers);
    if (std::ranges::any_of(numbers, [](float number) { return number != 0; })) continue;
    throw InputError(path, fmt::format("zeros alone in row {}", row), "a vector with a direction");
  }
}

class Pairing {
 public:
  Pairing(const Dataset& lines, const std::string& language, const Sentences& sentences,
          const fs::path& text)
      : lines_(lines),
        language_(lines.language(language)),
        name_(language),
        sentences_(sentences),
        text_(text) {}

  // -1: none.
  std::int64_t row_of(int line) const {
    const std::vector<int>& own = lines_.captions_of(line, language_);
    if (own.empty()) return -1;
    const Caption& first = caption(own.front());
    for (const int other : own) {
      if (trimmed(caption(other).text) == trimmed(first.text)) continue;
      throw InputError(captions(), place_of(caption(other)),
                       fmt::format("another sentence in '{}' of line '{}'", name_, id_of(line)),
                       "one, whose vector the line has");
    }
    const auto found = sentences_.find(std::string(trimmed(first.text)));
    if (found != sentences_.end()) return found->second;
    const std::string& split = lines_.images()[static_cast<std::size_t>(line)].split;
    if (split != "train" && split != "val") return -1;
    throw InputError(captions(), place_of(first),
                     fmt::format("'{}': the teacher has no vector of it", trimmed(first.text)),
                     fmt::format("a line of {}", text_.string()));
  }

 private:
  const Caption& caption(int position) const {
    return lines_.captions()[static_cast<std::size_t>(position)];
  }
  static std::size_t place_of(const Caption& caption) {
    return static_cast<std::size_t>(caption.place) + 1;
  }
  const std::string& id_of(int line) const {
    return lines_.images()[static_cast<std::size_t>(line)].id;
  }
  fs::path captions() const { return lines_.folder() / "captions.jsonl"; }

  const Dataset& lines_;
  int language_;
  const std::string& name_;
  const Sentences& sentences_;
  const fs::path& text_;
};

// Every language is judged on the lines of val, where there are such.
void check_split(const Dataset& lines, const std::vector<std::int64_t>& rows,
                 const std::string& split, const std::string& teacher) {
  if (!lines.has_split(split)) return;
  for (std::size_t l = 0; l < lines.languages().size(); ++l) {
    const bool spoken = std::ranges::any_of(lines.split(split), [&](int line) {
      return rows[static_cast<std::size_t>(line)] >= 0 &&
             !lines.captions_of(line, static_cast<int>(l)).empty();
    });
    if (spoken) continue;
    throw InputError(
        lines.folder(),
        fmt::format("split '{}' has no parallel sentence in '{}' and '{}', the teacher's language",
                    split, lines.languages()[l], teacher),
        "parallel sentences in both");
  }
}

}  // namespace

Features open_teacher(const Dataset& lines, const fs::path& npy, const std::string& language,
                      const std::string& name) {
  NpyArray array = open_rows(npy);
  const fs::path text = fs::path(npy).replace_extension(".txt");
  const Sentences sentences = read_sentences(text, npy, array.rows());
  check_numbers(array, npy);
  const Dataset said = Dataset::load(lines.folder(), {{language}, {}, {}});
  const Pairing pairing(said, language, sentences, text);
  std::vector<std::int64_t> rows;
  for (std::size_t line = 0; line < said.images().size(); ++line) {
    rows.push_back(pairing.row_of(static_cast<int>(line)));
  }
  lines.split("train");  // throws where there is none
  for (const char* split : {"train", "val"}) check_split(lines, rows, split, language);
  const std::vector<int> train = lines.split("train");
  const auto taught = std::ranges::count_if(
      train, [&](int line) { return rows[static_cast<std::size_t>(line)] >= 0; });
  print_line(stderr, "teacher: vectors of {} numbers; {} of {} parallel sentences to learn from\n",
             array.row_size(), taught, train.size());
  return Features::of_rows(lines, name, std::move(array), std::move(rows));
}

}  // namespace hinny

// Sentences to the ids that a pretrained text tower reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// What docs/formats/tokenizer.md describes, mapped into memory. Immutable, cheap to copy, safe to
// share between threads.
class SubwordTokenizer {
 public:
  // Looks at no piece, so it takes as long for many as for few. Throws InputError for a file that
  // is none, or another version's; numbers that do not fit together may be found later, in ids(),
  // as an InputError too.
  static SubwordTokenizer open(const std::filesystem::path& file);

  std::int32_t size() const;  // every id is below it
  // The model's ids of `text` with its marks (begin, end, language), at most `most` of them, which
  // is no less than the marks take: the text's own are cut so that the marks stay. No padding. A
  // text of no tokens gives the marks alone. Throws RequestError where `text` is not UTF-8 or is
  // larger than 1 MiB.
  std::vector<std::int32_t> ids(std::string_view text, std::size_t most) const;
  std::size_t marks() const;     // how many of the ids are marks
  std::int32_t padding() const;  // what models are padded with where that counts; -1: not said
  std::string piece(std::int32_t id) const;  // for people: "▁" and "</w>" as they are

 private:
  struct State;
  explicit SubwordTokenizer(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace hinny

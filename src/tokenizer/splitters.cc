#include "tokenizer/splitters.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/utf8.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/letters.h"
#include "tokenizer/pattern.h"

namespace hinny {
namespace {

struct Segment {
  std::size_t begin, end;
  bool match;
};
using Segments = std::vector<Segment>;
using Find = std::function<Segments(std::string_view word)>;

// All of the word: the matches and what lies between them.
Segments with_gaps(const std::vector<std::pair<std::size_t, std::size_t>>& matches,
                   std::size_t size) {
  Segments segments;
  std::size_t done = 0;
  for (const auto& match : matches) {
    if (match.first > done) segments.push_back({done, match.first, false});
    segments.push_back({match.first, match.second, true});
    done = match.second;
  }
  if (done < size) segments.push_back({done, size, false});
  return segments;
}

template <typename Is>
Find letters_that(Is is) {
  return [is](std::string_view word) {
    std::vector<std::pair<std::size_t, std::size_t>> matches;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t begin = at;
      if (is(next_letter(word, at))) matches.emplace_back(begin, at);
    }
    return with_gaps(matches, word.size());
  };
}

Find text_that_is(const std::string& wanted) {
  return [wanted](std::string_view word) {
    std::vector<std::pair<std::size_t, std::size_t>> matches;
    for (std::size_t at = word.find(wanted); at != std::string_view::npos;
         at = word.find(wanted, at + wanted.size())) {
      matches.emplace_back(at, at + wanted.size());
    }
    return with_gaps(matches, word.size());
  };
}

Find pattern_of(const std::string& expression, const std::filesystem::path& file) {
  const auto pattern = std::make_shared<const Pattern>(expression, file);
  return [pattern](std::string_view word) { return with_gaps(pattern->find(word), word.size()); };
}

// A match becomes part of the segment before it, but for one that follows a match.
void merge_with_neighbour(Segments& segments) {
  Segments merged;
  bool after_match = false;
  for (const Segment& segment : segments) {
    if (segment.match && !after_match && !merged.empty()) {
      merged.back().begin = std::min(merged.back().begin, segment.begin);
      merged.back().end = std::max(merged.back().end, segment.end);
    } else {
      merged.push_back(segment);
    }
    after_match = segment.match;
  }
  segments = std::move(merged);
}

void behave(Segments& segments, const std::string& behaviour) {
  if (behaviour == "Removed") {
    std::erase_if(segments, [](const Segment& segment) { return segment.match; });
  } else if (behaviour == "Contiguous") {
    Segments joined;
    for (const Segment& segment : segments) {
      if (!joined.empty() && joined.back().match == segment.match) {
        joined.back().end = segment.end;
      } else {
        joined.push_back(segment);
      }
    }
    segments = std::move(joined);
  } else if (behaviour == "MergedWithPrevious") {
    merge_with_neighbour(segments);
  } else if (behaviour == "MergedWithNext") {
    std::reverse(segments.begin(), segments.end());
    merge_with_neighbour(segments);
    std::reverse(segments.begin(), segments.end());
  }
}

void split_words(std::vector<std::string>& words, const Find& find, const std::string& behaviour,
                 bool inverted = false) {
  std::vector<std::string> result;
  for (const std::string& word : words) {
    Segments segments = find(word);
    for (Segment& segment : segments) segment.match = segment.match != inverted;
    behave(segments, behaviour);
    for (const Segment& segment : segments) {
      result.push_back(word.substr(segment.begin, segment.end - segment.begin));
    }
  }
  words = std::move(result);
}

using SplitterOptions = std::vector<std::string>;

Splitter make_split(Find find, const std::string& behaviour, bool inverted = false) {
  return [find = std::move(find), behaviour, inverted](std::vector<std::string>& words, bool) {
    split_words(words, find, behaviour, inverted);
  };
}

Splitter make_bert() {
  return [spaces = letters_that(is_space), signs = letters_that(is_sign)](
             std::vector<std::string>& words, bool) {
    split_words(words, spaces, "Removed");
    split_words(words, signs, "Isolated");
  };
}

// GPT-2's own expression.
constexpr const char* kByteLevelWords =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

Splitter make_byte_letters(const SplitterOptions& options, const std::filesystem::path& file) {
  Find find = options[1] == "yes" ? pattern_of(kByteLevelWords, file) : Find();
  return [adds_space = options[0] == "yes", find = std::move(find)](std::vector<std::string>& words,
                                                                    bool) {
    for (std::string& word : words) {
      if (adds_space && !word.starts_with(' ')) word.insert(0, " ");
    }
    if (find) split_words(words, find, "Isolated");
    for (std::string& word : words) word = byte_letters(word);
  };
}

Splitter make_metaspace(const SplitterOptions& options) {
  Find marks = options[2] == "yes" ? text_that_is(options[0]) : Find();
  return [mark = options[0], scheme = options[1], marks = std::move(marks)](
             std::vector<std::string>& words, bool at_start) {
    for (std::string& word : words) {
      std::string marked;
      for (const char byte : word) {
        if (byte == ' ') {
          marked += mark;
        } else {
          marked += byte;
        }
      }
      const bool first = scheme == "always" || (scheme == "first" && at_start);
      word = first && !marked.starts_with(mark) ? mark + marked : marked;
      at_start = false;
    }
    if (marks) split_words(words, marks, "MergedWithNext");
  };
}

bool knows_behaviour(const std::string& name) {
  return name == "Removed" || name == "Isolated" || name == "Contiguous" ||
         name == "MergedWithPrevious" || name == "MergedWithNext";
}

}  // namespace

Splitter make_splitter(const Step& step, const std::filesystem::path& file) {
  const SplitterOptions& options = step.options;
  const auto is = [&](std::string_view name, std::size_t count) {
    return step.name == name && options.size() == count &&
           std::all_of(options.begin(), options.end(), is_utf8);
  };
  if (is("bert", 0)) return make_bert();
  if (is("spaces", 0)) return make_split(letters_that(is_space), "Removed");
  if (is("words", 0)) {
    // Rust's \w has the joiners, too.
    return make_split(pattern_of(R"([\w\x{200C}\x{200D}]+|[^\w\x{200C}\x{200D}\s]+)", file),
                      "Removed", true);
  }
  if (is("byte-letters", 2)) return make_byte_letters(options, file);
  if (is("metaspace", 3) && !options[0].empty() && options[0].size() <= kLongestInsertion)
    return make_metaspace(options);
  if (is("punctuation", 1) && knows_behaviour(options[0])) {
    return make_split(letters_that(is_sign), options[0]);
  }
  if (is("digits", 1)) {
    const auto is_number = [](UChar32 letter) {
      const int kind = u_charType(letter);
      return kind == U_DECIMAL_DIGIT_NUMBER || kind == U_LETTER_NUMBER || kind == U_OTHER_NUMBER;
    };
    return make_split(letters_that(is_number), options[0] == "yes" ? "Isolated" : "Contiguous");
  }
  if (is("pattern", 3) && knows_behaviour(options[1])) {
    return make_split(pattern_of(options[0], file), options[1], options[2] == "yes");
  }
  if (is("text", 3) && knows_behaviour(options[1]) && !options[0].empty()) {
    return make_split(text_that_is(options[0]), options[1], options[2] == "yes");
  }
  throw InputError(file, fmt::format("a splitter '{}' with {} options", step.name, options.size()),
                   "one that this version of Hinny knows");
}

}  // namespace hinny

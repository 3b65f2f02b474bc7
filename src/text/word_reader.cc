#include "text/word_reader.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "text/characters.h"
#include "text/han_scripts.h"
#include "text/language_code.h"
#include "text/stems.h"

namespace hinny {
namespace {

constexpr std::size_t kEnding = 5;         // letters that a stemmer may go by
constexpr std::size_t kWrittenPlaces = 4;  // of letters that may be written out
constexpr std::size_t kLongest = 64;       // letters; what is longer is no word
constexpr std::int64_t kMistyped = 10;     // times that a word with marks is seen more often
constexpr std::size_t kShortestStem = 3;   // letters that a guessed accent leaves of longer words

std::vector<std::string> letters_of(std::string_view word) {
  std::vector<std::string> letters;
  for_each_character(word, [&](std::size_t begin, std::size_t end) {
    letters.emplace_back(word.substr(begin, end - begin));
  });
  return letters;
}

std::string joined(const std::vector<std::string>& letters) {
  std::string word;
  for (const std::string& letter : letters) word += letter;
  return word;
}

// Names words of `read` as `text` has them, where the text that they are of, `other`, has as many
// characters: each at the place where `other` has it.
void name_as_typed(std::vector<ReadWord>& read, std::string_view text, std::string_view other) {
  const std::vector<std::string> typed = letters_of(text);
  std::vector<std::size_t> starts;  // of each character in `other`
  for_each_character(other, [&](std::size_t begin, std::size_t) { starts.push_back(begin); });
  if (typed.size() != starts.size()) return;
  std::size_t from = 0;
  for (ReadWord& word : read) {
    std::size_t at = other.find(word.typed, from);
    if (at == std::string_view::npos)
      at = other.find(word.typed);  // a character of an earlier word
    if (at == std::string_view::npos) continue;
    if (at >= from) from = at;
    const auto place = std::ranges::lower_bound(starts, at) - starts.begin();
    const std::size_t count = count_characters(word.typed);
    std::string name;
    for (std::size_t i = 0; i < count; ++i) name += typed[static_cast<std::size_t>(place) + i];
    word.typed = std::move(name);
    word.exact = word.exact && word.typed == word.word;
  }
}

std::int64_t unknown_words(const std::vector<ReadWord>& words) {
  return std::ranges::count(words, kUnknown, &ReadWord::id);
}

}  // namespace

struct WordReader::Reader {
  Reader(const std::string& code, TokenizerOptions chosen, const Vocabulary& of,
         std::function<const PlainWords&()> asked)
      : language(code),
        options(chosen),
        tokenizer(code, chosen),
        vocabulary(of),
        plain(std::move(asked)),
        chinese(base_language(code) == "zh") {
    if (options.stems) stems.emplace(language);
    for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
      most_seen = std::max(most_seen, vocabulary.count(id));
    }
  }

  std::vector<ReadWord> read(std::string_view text) {
    std::vector<ReadWord> words;
    for (TypedWord& typed : tokenizer.typed_words(text)) {
      const bool parted = typed.parts.size() > 1;
      for (std::string& part : typed.parts) {
        const std::int32_t id = vocabulary.id(part);
        std::string name = parted ? part : typed.typed;
        words.push_back({std::move(part), std::move(name), id, true});
      }
    }
    for (ReadWord& word : words) {
      if (word.id == kUnknown) {
        take(word, found(word));
      } else if (looks_mistyped(word)) {
        take(word, plain().without_marks(vocabulary, word.word));
      }
    }
    return words;
  }

  // Whether the captions that were learnt from leave out marks here and there, too: "agua" a few
  // times, "água" a thousand. A word that is typed with its marks is what it is.
  bool looks_mistyped(const ReadWord& word) {
    const std::int64_t count = kMistyped * std::max<std::int64_t>(vocabulary.count(word.id), 1);
    if (count > most_seen || plain_letters(word.typed) != word.typed) return false;
    const std::int32_t other = plain().without_marks(vocabulary, word.word);
    return other != word.id && vocabulary.count(other) >= count;
  }

  void take(ReadWord& word, std::int32_t id) const {
    if (id == kUnknown) return;
    word.id = id;
    word.word = vocabulary.word(id);
    word.exact = false;
  }

  std::int32_t found(const ReadWord& word) {
    if (letters_of(word.word).size() > kLongest) return kUnknown;
    // A stemmer tells endings by their accents: it has to see them.
    if (options.stems) {
      const std::int32_t id = of_written_out(word.typed);
      if (id != kUnknown) return id;
    }
    const std::int32_t id = plain().id(vocabulary, word.word);
    return id != kUnknown || !options.stems ? id : of_ending(word.typed);
  }

  std::int32_t stem_id(const std::string& word) const {
    const std::vector<std::string> parts = stems->of(word);
    return parts.size() == 1 ? vocabulary.id(parts.front()) : kUnknown;
  }

  // The word with letters that are written out put back as they are: "über" for "ueber". All of
  // them first.
  std::int32_t of_written_out(const std::string& typed) {
    if (!written) written = marked_written_out();
    std::vector<std::pair<std::size_t, const std::pair<std::string, std::string>*>> places;
    for (std::size_t i = 0; i < typed.size(); ++i) {
      for (const auto& pair : *written) {
        if (typed.compare(i, pair.first.size(), pair.first) != 0) continue;
        if (places.size() == kWrittenPlaces) return kUnknown;
        places.emplace_back(i, &pair);
      }
    }
    for (std::size_t some = (std::size_t{1} << places.size()) - 1; some > 0; --some) {
      std::string word = typed;
      std::size_t end = typed.size() + 1;
      for (std::size_t p = places.size(); p-- > 0;) {
        const auto& [at, pair] = places[p];
        if ((some >> p & 1) == 0 || at + pair->first.size() > end) continue;
        word.replace(at, pair->first.size(), pair->second);
        end = at;
      }
      const std::int32_t id = stem_id(word);
      if (id != kUnknown) return id;
    }
    return kUnknown;
  }

  // {"ae", "ä"} of German: what is written out, for the letters that the language has.
  std::vector<std::pair<std::string, std::string>> marked_written_out() {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& [out, plain_letter] : written_out(language)) {
      for (const std::string& letter : marked()[std::string(plain_letter)]) {
        result.emplace_back(out, letter);
      }
    }
    return result;
  }

  std::unordered_map<std::string, std::vector<std::string>>& marked() {
    if (!marks) marks = marked_letters(language);
    return *marks;
  }

  // By the stems of the words that differ in an accent or two of the ending: "montée" of "montee".
  std::int32_t of_ending(const std::string& typed) {
    std::vector<std::string> letters = letters_of(typed);
    const std::size_t first = letters.size() > kEnding ? letters.size() - kEnding : 0;
    const std::size_t shortest = std::min(kShortestStem, letters.size() / 2);
    std::int32_t best = kUnknown;
    const auto look = [&] {
      const std::vector<std::string> parts = stems->of(joined(letters));
      if (parts.size() != 1 || count_characters(parts.front()) < shortest) return;
      const std::int32_t id = plain().id(vocabulary, parts.front());
      if (id == kUnknown) return;
      if (best == kUnknown || vocabulary.count(id) > vocabulary.count(best)) best = id;
    };
    const auto change = [&](std::size_t from, const auto& next) {
      for (std::size_t i = from; i < letters.size(); ++i) {
        const auto others = marked().find(letters[i]);
        if (others == marked().end()) continue;
        const std::string own = letters[i];
        for (const std::string& letter : others->second) {
          letters[i] = letter;
          next(i + 1);
        }
        letters[i] = own;
      }
    };
    change(first, [&](std::size_t) { look(); });
    if (best != kUnknown) return best;
    change(first, [&](std::size_t from) { change(from, [&](std::size_t) { look(); }); });
    return best;
  }

  std::string language;
  TokenizerOptions options;
  Tokenizer tokenizer;
  const Vocabulary& vocabulary;
  std::function<const PlainWords&()> plain;
  bool chinese;
  std::int64_t most_seen = 0;
  std::optional<Stems> stems;
  std::optional<std::vector<std::pair<std::string, std::string>>> written;
  std::optional<std::unordered_map<std::string, std::vector<std::string>>> marks;
};

WordReader::WordReader(const std::string& language, TokenizerOptions options,
                       const Vocabulary& vocabulary, std::function<const PlainWords&()> plain)
    : reader_(std::make_unique<Reader>(language, options, vocabulary, std::move(plain))) {}
WordReader::~WordReader() = default;
WordReader::WordReader(WordReader&&) noexcept = default;
WordReader& WordReader::operator=(WordReader&&) noexcept = default;

std::vector<ReadWord> WordReader::read(std::string_view text) {
  std::vector<ReadWord> words = reader_->read(text);
  if (!reader_->chinese || unknown_words(words) == 0) return words;
  for (const HanScript script : {HanScript::simplified, HanScript::traditional}) {
    const std::string other = in_han_script(text, script);
    if (other == text) continue;
    std::vector<ReadWord> read = reader_->read(other);
    if (unknown_words(read) >= unknown_words(words)) continue;
    name_as_typed(read, text, other);
    words = std::move(read);
  }
  return words;
}

}  // namespace hinny

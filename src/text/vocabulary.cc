#include "text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"

namespace hinny {
namespace {

// Name, id, word, count.
using Fields = std::array<std::string_view, 4>;

Fields split_fields(const std::filesystem::path& path, std::size_t line, std::string_view text) {
  Fields fields;
  std::size_t found = 1 + static_cast<std::size_t>(std::ranges::count(text, '\t'));
  if (found != fields.size()) {
    throw InputError(path, line, fmt::format("{} fields", found),
                     "4: vocabulary, id, word, count, separated by tabs");
  }
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(text.find('\t'), text.size());
    field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fields;
}

template <typename Integer>
bool parse(std::string_view text, Integer& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

void read_line(const std::filesystem::path& path, std::size_t line, std::string_view text,
               Vocabularies& vocabularies) {
  const auto [name, id_text, word, count_text] = split_fields(path, line, text);
  if (name.empty() || word.empty()) {
    throw InputError(path, line, name.empty() ? "no vocabulary name" : "an empty word", "text");
  }
  Vocabulary& vocabulary = vocabularies[std::string(name)];
  std::int32_t id = 0;
  if (!parse(id_text, id) || id != vocabulary.size()) {
    throw InputError(path, line, fmt::format("id '{}'", id_text),
                     std::to_string(vocabulary.size()));
  }
  std::int64_t count = 0;
  if (!parse(count_text, count) || count < 0) {
    throw InputError(path, line, fmt::format("count '{}'", count_text), "a number, 0 or more");
  }
  if (vocabulary.contains(word)) {
    throw InputError(path, line, fmt::format("the word '{}' a second time", word),
                     "each word once");
  }
  vocabulary.add(std::string(word), count);
}

}  // namespace

Vocabulary::Vocabulary()
    : words_{"<pad>", "<unknown>", "<start>", "<end>"}, counts_(words_.size()) {}

Vocabulary Vocabulary::build(const WordCounts& counts, std::int64_t min_count) {
  std::vector<const WordCounts::value_type*> kept;
  for (const auto& entry : counts) {
    if (entry.second >= min_count) kept.push_back(&entry);
  }
  if (kept.empty()) {
    throw InputError(fmt::format("an empty vocabulary: none of {} words is seen {} times",
                                 counts.size(), min_count),
                     "captions to train on, or a lower threshold");
  }
  std::ranges::sort(kept, [](const auto* a, const auto* b) {
    return a->second != b->second ? a->second > b->second : a->first < b->first;
  });
  Vocabulary vocabulary;
  for (const auto* entry : kept) vocabulary.add(entry->first, entry->second);
  return vocabulary;
}

bool Vocabulary::contains(std::string_view word) const { return ids_.find(word) != ids_.end(); }

std::int32_t Vocabulary::id(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kUnknown : found->second;
}

std::int32_t Vocabulary::add(std::string word, std::int64_t count) {
  if (words_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Failure("a vocabulary cannot hold more than 2^31 words");
  }
  const std::int32_t id = size();
  if (!ids_.try_emplace(word, id).second) throw std::invalid_argument("word added twice: " + word);
  words_.push_back(std::move(word));
  counts_.push_back(count);
  return id;
}

void write_vocabularies(const std::filesystem::path& path, const Vocabularies& vocabularies) {
  AtomicFile file(path);
  for (const auto& [name, vocabulary] : vocabularies) {
    for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
      file.write(
          fmt::format("{}\t{}\t{}\t{}\n", name, id, vocabulary.word(id), vocabulary.count(id)));
    }
  }
  file.commit();
}

Vocabularies read_vocabularies(const std::filesystem::path& path) {
  Vocabularies vocabularies;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    read_line(path, line, text, vocabularies);
  });
  if (vocabularies.empty()) throw InputError(path, "an empty vocabulary", "at least one word");
  return vocabularies;
}

}  // namespace hinny

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

// Adds a word to its vocabulary and returns that.
Vocabularies::value_type& read_line(const std::filesystem::path& path, std::size_t line,
                                    std::string_view text, Vocabularies& vocabularies,
                                    Vocabularies::value_type* last) {
  const auto [name, id_text, word, count_text] = split_fields(path, line, text);
  if (name.empty() || word.empty()) {
    throw InputError(path, line, name.empty() ? "no vocabulary name" : "an empty word", "text");
  }
  if (last == nullptr || last->first != name) {
    last = &*vocabularies.try_emplace(std::string(name)).first;
  }
  Vocabulary& vocabulary = last->second;
  std::int32_t id = 0;
  if (!parse(id_text, id) || id != vocabulary.size()) {
    throw InputError(path, line, fmt::format("id '{}'", id_text),
                     std::to_string(vocabulary.size()));
  }
  std::int64_t count = 0;
  if (!parse(count_text, count) || count < 0) {
    throw InputError(path, line, fmt::format("count '{}'", count_text), "a number, 0 or more");
  }
  if (!vocabulary.try_add(word, count)) {
    throw InputError(path, line, fmt::format("the word '{}' a second time", word),
                     "each word once");
  }
  return *last;
}

std::uint32_t hash_of(std::string_view word) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(word));
}

constexpr std::size_t kFirstSlots = 16;

}  // namespace

Vocabulary::Vocabulary()
    : words_{"<pad>", "<unknown>", "<start>", "<end>"},
      counts_(words_.size()),
      slots_(kFirstSlots) {}

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

const Vocabulary::Slot& Vocabulary::slot_of(std::string_view word, std::uint32_t hash) const {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t place = hash & last;; place = (place + 1) & last) {
    const Slot& slot = slots_[place];
    if (slot.id == kPad) return slot;
    if (slot.hash == hash && words_[static_cast<std::size_t>(slot.id)] == word) return slot;
  }
}

bool Vocabulary::contains(std::string_view word) const {
  return slot_of(word, hash_of(word)).id != kPad;
}

std::int32_t Vocabulary::id(std::string_view word) const {
  const std::int32_t found = slot_of(word, hash_of(word)).id;
  return found == kPad ? kUnknown : found;
}

void Vocabulary::grow() {
  std::vector<Slot> small(2 * slots_.size());
  small.swap(slots_);
  const std::size_t last = slots_.size() - 1;
  for (const Slot& slot : small) {
    if (slot.id == kPad) continue;
    std::size_t place = slot.hash & last;
    while (slots_[place].id != kPad) place = (place + 1) & last;
    slots_[place] = slot;
  }
}

std::optional<std::int32_t> Vocabulary::try_add(std::string_view word, std::int64_t count) {
  if (words_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Failure("a vocabulary cannot hold more than 2^31 words");
  }
  if (2 * words_.size() >= slots_.size()) grow();
  const std::uint32_t hash = hash_of(word);
  const Slot& slot = slot_of(word, hash);
  if (slot.id != kPad) return {};
  const std::int32_t id = size();
  words_.emplace_back(word);
  counts_.push_back(count);
  slots_[static_cast<std::size_t>(&slot - slots_.data())] = {hash, id};
  return id;
}

std::int32_t Vocabulary::add(std::string_view word, std::int64_t count) {
  const auto id = try_add(word, count);
  if (!id) throw std::invalid_argument("word added twice: " + std::string(word));
  return *id;
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
  Vocabularies::value_type* last = nullptr;  // most lines go where the line before went
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    last = &read_line(path, line, text, vocabularies, last);
  });
  if (vocabularies.empty()) throw InputError(path, "an empty vocabulary", "at least one word");
  return vocabularies;
}

}  // namespace hinny

// Words <-> ids. Built from training captions only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hinny {

// Reserved ids are the same in every vocabulary; words start at kFirstWord.
inline constexpr std::int32_t kPad = 0;
inline constexpr std::int32_t kUnknown = 1;
inline constexpr std::int32_t kStart = 2;
inline constexpr std::int32_t kEnd = 3;
inline constexpr std::int32_t kFirstWord = 4;

// Lets a map of strings be asked with a string_view.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using WordCounts = std::unordered_map<std::string, std::int64_t>;

class Vocabulary {
 public:
  Vocabulary();  // the reserved ids alone

  // Words seen at least min_count times, by falling count, then by bytes: equal counts, equal
  // ids. Throws InputError when no word is left.
  static Vocabulary build(const WordCounts& counts, std::int64_t min_count);

  // kUnknown when the word is not there.
  std::int32_t id(std::string_view word) const;
  // Reserved ids have no word: a caption may hold "<pad>" as a word like any other.
  bool contains(std::string_view word) const;
  const std::string& word(std::int32_t id) const { return words_.at(static_cast<std::size_t>(id)); }
  std::int64_t count(std::int32_t id) const { return counts_.at(static_cast<std::size_t>(id)); }
  // All ids, the reserved ones included.
  std::int32_t size() const { return static_cast<std::int32_t>(words_.size()); }

  // Appends a word that is not there yet and returns its id.
  std::int32_t add(std::string_view word, std::int64_t count);
  // The same, or nothing of a word that is there.
  std::optional<std::int32_t> try_add(std::string_view word, std::int64_t count);

 private:
  // Of a hash table without lists, which is filled quickly: a program that asks once does so before
  // it answers. Free where the id is kPad.
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = kPad;
  };
  // Where the word is, or the free place where it belongs.
  const Slot& slot_of(std::string_view word, std::uint32_t hash) const;
  void grow();

  std::vector<std::string> words_;
  std::vector<std::int64_t> counts_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
};

// The name of a vocabulary for all languages.
inline constexpr const char* kSharedVocabulary = "shared";
// A model's vocabularies by name: one per language, or kSharedVocabulary.
using Vocabularies = std::map<std::string, Vocabulary>;

// vocabulary.tsv: docs/formats/model.md. Reading throws InputError with the line.
void write_vocabularies(const std::filesystem::path& path, const Vocabularies& vocabularies);
Vocabularies read_vocabularies(const std::filesystem::path& path);

}  // namespace hinny

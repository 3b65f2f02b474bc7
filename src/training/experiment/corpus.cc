#include "training/experiment/corpus.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/lazy.h"
#include "base/threads.h"
#include "text/tokenizer.h"
#include "text/word_reader.h"

namespace hinny {
namespace {

// Captions [begin, end) tokenised by one thread, with words numbered in order of appearance.
struct Block {
  std::vector<std::string> words;
  std::vector<std::int32_t> tokens;
  std::vector<std::int64_t> lengths;
};

// Words of captions in one language, as a thread of its own reads them.
using ReadWords = std::function<std::vector<std::string>(const std::string&)>;
using Readers = std::function<ReadWords(const std::string& language)>;

Block tokenise(const Dataset& dataset, const std::vector<std::string>& languages,
               const Readers& readers, std::size_t begin, std::size_t end) {
  Block block;
  std::unordered_map<std::string, std::int32_t> numbers;
  std::map<int, ReadWords> by_language;
  for (std::size_t i = begin; i < end; ++i) {
    const Caption& caption = dataset.captions()[i];
    const std::string& language = languages[static_cast<std::size_t>(caption.language)];
    auto reader = by_language.find(caption.language);
    if (reader == by_language.end()) {
      reader = by_language.emplace(caption.language, readers(language)).first;
    }
    const std::vector<std::string> words = reader->second(caption.text);
    for (const std::string& word : words) {
      const auto [entry, added] =
          numbers.emplace(word, static_cast<std::int32_t>(block.words.size()));
      if (added) block.words.push_back(word);
      block.tokens.push_back(entry->second);
    }
    block.lengths.push_back(static_cast<std::int64_t>(words.size()));
  }
  return block;
}

TokenizerOptions tokenizer_options(const TextSettings& settings) {
  return {settings.given, static_cast<int>(settings.max_words), settings.stems};
}

Readers as_they_are(const TextSettings& settings) {
  return [options = tokenizer_options(settings)](const std::string& language) -> ReadWords {
    auto tokenizer = std::make_shared<Tokenizer>(language, options);
    return [tokenizer](const std::string& text) { return tokenizer->words(text); };
  };
}

// As words of the vocabularies where they are some.
class KnownWords {
 public:
  KnownWords(const Vocabularies& vocabularies, const TextSettings& settings,
             const std::vector<std::string>& languages)
      : vocabularies_(vocabularies), settings_(settings) {
    for (const std::string& language : languages) plain_[language];
  }

  ReadWords operator()(const std::string& language) const {
    const Vocabulary& vocabulary = vocabularies_.at(vocabulary_name(settings_, language));
    const auto plain = [this, &vocabulary, language]() -> const PlainWords& {
      return plain_.at(language).get([&] { return PlainWords(vocabulary, language); });
    };
    auto reader =
        std::make_shared<WordReader>(language, tokenizer_options(settings_), vocabulary, plain);
    return [reader](const std::string& text) {
      std::vector<std::string> words;
      for (ReadWord& word : reader->read(text)) words.push_back(std::move(word.word));
      return words;
    };
  }

 private:
  const Vocabularies& vocabularies_;
  const TextSettings& settings_;
  std::map<std::string, Lazy<PlainWords>> plain_;  // by language
};

}  // namespace

std::string vocabulary_name(const TextSettings& settings, const std::string& language) {
  return settings.vocabulary == Sharing::shared ? kSharedVocabulary : language;
}

TokenisedCaptions::TokenisedCaptions(const Dataset& dataset, const TextSettings& settings,
                                     const std::string& read_as, const Vocabularies* known)
    : dataset_(&dataset), settings_(settings), languages_(dataset.languages()) {
  if (!read_as.empty()) languages_.assign(languages_.size(), read_as);
  const std::size_t captions = dataset.captions().size();
  std::map<std::size_t, Block> blocks;  // by first caption, so that joining keeps their order
  std::mutex lock;
  std::optional<KnownWords> known_words;
  if (known != nullptr) known_words.emplace(*known, settings_, languages_);
  const Readers readers = known_words ? Readers(std::cref(*known_words)) : as_they_are(settings_);
  parallel_blocks(captions, [&](std::size_t begin, std::size_t end) {
    Block block = tokenise(dataset, languages_, readers, begin, end);
    const std::lock_guard guard(lock);
    blocks.emplace(begin, std::move(block));
  });

  std::unordered_map<std::string, std::int32_t> numbers;
  starts_.push_back(0);
  for (const auto& [begin, block] : blocks) {
    std::vector<std::int32_t> renumbered;
    for (const std::string& word : block.words) {
      const auto [entry, added] = numbers.emplace(word, static_cast<std::int32_t>(words_.size()));
      if (added) words_.push_back(word);
      renumbered.push_back(entry->second);
    }
    for (const std::int32_t token : block.tokens) {
      tokens_.push_back(renumbered[static_cast<std::size_t>(token)]);
    }
    for (const std::int64_t length : block.lengths) starts_.push_back(starts_.back() + length);
  }
}

std::map<std::string, WordCounts> TokenisedCaptions::count_words(
    const std::vector<int>& images) const {
  std::map<std::string, WordCounts> counts;
  for (const std::string& language : dataset_->languages()) {
    counts[vocabulary_name(settings_, language)];
  }
  for (const int image : images) {
    for (std::size_t l = 0; l < dataset_->languages().size(); ++l) {
      WordCounts& words = counts[vocabulary_name(settings_, dataset_->languages()[l])];
      for (const int caption : dataset_->captions_of(image, static_cast<int>(l))) {
        const auto position = static_cast<std::size_t>(caption);
        for (auto t = starts_[position]; t < starts_[position + 1]; ++t) {
          ++words[words_[static_cast<std::size_t>(tokens_[static_cast<std::size_t>(t)])]];
        }
      }
    }
  }
  return counts;
}

Vocabularies build_vocabularies(const std::map<std::string, WordCounts>& counts,
                                const TextSettings& settings) {
  Vocabularies vocabularies;
  for (const auto& [name, words] : counts) {
    if (words.empty()) {
      throw InputError(fmt::format("no training captions for vocabulary '{}'", name),
                       "captions in the train split");
    }
    vocabularies[name] = Vocabulary::build(words, settings.min_count);
  }
  return vocabularies;
}

void TokenisedCaptions::add_words(Vocabulary& vocabulary) const {
  for (const std::string& word : words_) {
    if (!vocabulary.contains(word)) vocabulary.add(word, 0);
  }
}

Corpus::Corpus(const TokenisedCaptions& captions, const Vocabularies& vocabularies) {
  const TextSettings& settings = captions.settings_;
  const Dataset& dataset = *captions.dataset_;
  // One look-up per distinct word and vocabulary, not per token.
  std::map<std::string, std::vector<std::int32_t>> ids_of_words;
  for (const auto& [name, vocabulary] : vocabularies) {
    auto& ids = ids_of_words[name];
    for (const std::string& word : captions.words_) ids.push_back(vocabulary.id(word));
  }
  starts_.push_back(0);
  for (std::size_t i = 0; i < dataset.captions().size(); ++i) {
    const auto& language =
        captions.languages_[static_cast<std::size_t>(dataset.captions()[i].language)];
    const auto& ids = ids_of_words.at(vocabulary_name(settings, language));
    const auto first = ids_.size();
    for (auto t = captions.starts_[i]; t < captions.starts_[i + 1]; ++t) {
      const std::int32_t id =
          ids[static_cast<std::size_t>(captions.tokens_[static_cast<std::size_t>(t)])];
      if (id != kUnknown || settings.unknown == UnknownWords::token) ids_.push_back(id);
    }
    if (ids_.size() == first) {
      ids_.push_back(kUnknown);
    } else if (settings.markers) {
      ids_.insert(ids_.begin() + static_cast<std::ptrdiff_t>(first), kStart);
      ids_.push_back(kEnd);
    }
    starts_.push_back(static_cast<std::int64_t>(ids_.size()));
    by_machine_.push_back(!written_by_people(dataset.captions()[i].source));
  }
}

}  // namespace hinny

#include "training/start/borrow_words.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/terminal_text.h"
#include "text/dictionary.h"

namespace hinny {
namespace {

// The first translation that is a word of the lender's; kUnknown when none is.
std::int32_t lent(const Dictionary& dictionary, const std::string& word, const Vocabulary& lender) {
  for (const std::string& translation : dictionary.find(word)) {
    if (const std::int32_t id = lender.id(translation); id != kUnknown) return id;
  }
  return kUnknown;
}

// The ids of what is borrowed; `words` keeps its own and those.
std::vector<std::int32_t> borrow(Vocabulary& words, const std::string& language,
                                 const Vocabulary& lender, const TextSettings& text) {
  const Dictionary dictionary = Dictionary::read(text.dictionary, language, text.lender);
  Vocabulary kept;
  std::vector<std::int32_t> ids;
  for (std::int32_t id = kFirstWord; id < words.size(); ++id) {  // by falling count
    if (words.count(id) < text.rare) {
      const std::int32_t other = lent(dictionary, words.word(id), lender);
      if (other == kUnknown) continue;
      ids.push_back(other);
    }
    kept.add(words.word(id), words.count(id));
  }
  print_line(stderr, "dictionary {}: {} own words, {} by {}, {} rare ones left out\n", language,
             kept.size() - kFirstWord - static_cast<int>(ids.size()), ids.size(), text.lender,
             words.size() - kept.size());
  words = std::move(kept);
  return ids;
}

}  // namespace

BorrowedWords borrow_words(Vocabularies& vocabularies, const TextSettings& text,
                           const std::vector<std::string>& languages) {
  const auto lender = vocabularies.find(text.lender);
  if (lender == vocabularies.end()) {
    throw InputError(fmt::format("text.lender = '{}'", text.lender), "one of the languages");
  }
  BorrowedWords borrowed;
  bool any = false;
  for (const std::string& language : languages) {
    if (language == text.lender) continue;
    if (!Dictionary::there(text.dictionary, language, text.lender)) {
      print_line(stderr, "dictionary {}: no {}-{}.tsv, all words stay\n", language, language,
                 text.lender);
      continue;
    }
    auto ids = borrow(vocabularies.at(language), language, lender->second, text);
    if (!ids.empty()) borrowed[language] = std::move(ids);
    any = true;
  }
  if (any) return borrowed;
  throw InputError(std::filesystem::path(text.dictionary), "no dictionary of any language",
                   fmt::format("files such as de-{}.tsv", text.lender));
}

BorrowedWords borrowed_words(const ModelConfig& model, const NamedTensors& tensors) {
  BorrowedWords borrowed;
  for (const auto& [language, text] : model.text) {
    const auto found = tensors.find(text.borrowed);
    if (found == tensors.end()) continue;  // what lacks is named when the weights are loaded
    const torch::Tensor ids = found->second.to(at::kInt).contiguous();
    const auto* first = ids.data_ptr<std::int32_t>();
    borrowed[language].assign(first, first + ids.numel());
  }
  return borrowed;
}

}  // namespace hinny

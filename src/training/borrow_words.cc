#include "training/borrow_words.h"

#include <fmt/format.h>

#include "base/error.h"
#include "text/dictionary.h"

namespace hinny {
namespace {

constexpr std::string_view kPrefix = "text_";
constexpr std::string_view kSuffix = ".borrowed";

// The first translation that is a word of the lender's; kUnknown when none is.
std::int32_t lent(const Dictionary& dictionary, const std::string& word, const Vocabulary& lender) {
  for (const std::string& translation : dictionary.find(word)) {
    if (const std::int32_t id = lender.id(translation); id != kUnknown) return id;
  }
  return kUnknown;
}

void borrow(Experiment& e, const std::string& language, const Vocabulary& lender) {
  const TextSettings& text = e.recipe.model.text;
  const Dictionary dictionary = Dictionary::read(text.dictionary, language, text.lender);
  const Vocabulary& words = e.vocabularies.at(language);
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
  fmt::print(stderr, "dictionary {}: {} own words, {} by {}, {} rare ones left out\n", language,
             kept.size() - kFirstWord - static_cast<int>(ids.size()), ids.size(), text.lender,
             words.size() - kept.size());
  e.vocabularies[language] = kept;
  if (!ids.empty()) e.borrowed[language] = std::move(ids);
}

}  // namespace

void borrow_words(Experiment& e) {
  const TextSettings& text = e.recipe.model.text;
  const auto lender = e.vocabularies.find(text.lender);
  if (lender == e.vocabularies.end()) {
    throw InputError(fmt::format("text.lender = '{}'", text.lender), "one of the languages");
  }
  bool any = false;
  for (const std::string& language : e.recipe.languages) {
    if (language == text.lender) continue;
    if (!Dictionary::there(text.dictionary, language, text.lender)) {
      fmt::print(stderr, "dictionary {}: no {}-{}.tsv, all words stay\n", language, language,
                 text.lender);
      continue;
    }
    borrow(e, language, lender->second);
    any = true;
  }
  if (any) return;
  throw InputError(std::filesystem::path(text.dictionary), "no dictionary of any language",
                   fmt::format("files such as de-{}.tsv", text.lender));
}

std::map<std::string, std::vector<std::int32_t>> borrowed_words(const NamedTensors& tensors) {
  std::map<std::string, std::vector<std::int32_t>> borrowed;
  for (const auto& [name, tensor] : tensors) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    const std::string language =
        name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    const torch::Tensor ids = tensor.to(at::kInt).contiguous();
    const auto* first = ids.data_ptr<std::int32_t>();
    borrowed[language].assign(first, first + ids.numel());
  }
  return borrowed;
}

}  // namespace hinny

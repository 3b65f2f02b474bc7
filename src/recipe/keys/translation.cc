#include "recipe/section.h"

namespace hinny {

void add_translation_keys(std::vector<RecipeKey>& keys) {
  const Section<TranslationSettings> translation(
      keys, "translation", [](Recipe& r) -> TranslationSettings& { return r.translation; });
  translation.add(
      "directions", &TranslationSettings::directions,
      {.acts_in = kTranslating,
       .meaning = "[\"en-de\", \"de-en\"]; empty: every pair of the languages, both ways"});
  translation.add("merges", &TranslationSettings::merges,
                  {.acts_in = kTranslating,
                   .meaning = "byte pair merges, learned on all languages together",
                   .range = {0, 1 << 20}});
  translation.add(
      "embedding", &TranslationSettings::embedding,
      {.acts_in = kTranslating, .meaning = "size of a subword's vector", .range = {1, kMostSize}});
  translation.add(
      "hidden", &TranslationSettings::hidden,
      {.acts_in = kTranslating,
       .meaning = "size of the decoder's state, even; each direction of the encoder has half of it",
       .range = {2, kMostSize}});
  translation.add(
      "decoder_layers", &TranslationSettings::decoder_layers,
      {.acts_in = kTranslating,
       .meaning = "1, or 2: a second LSTM over what the first one and its attention give",
       .range = {1, 2}});
  translation.add("dropout", &TranslationSettings::dropout,
                  {.acts_in = kTranslating,
                   .meaning = "on subwords' vectors and on states",
                   .range = {0, 0.99}});
  translation.add("smoothing", &TranslationSettings::smoothing,
                  {.acts_in = kTranslating,
                   .meaning = "of labels: probability that is spread over all subwords",
                   .range = {0, 0.99}});
  translation.add("batch_words", &TranslationSettings::batch_words,
                  {.acts_in = kTranslating,
                   .meaning = "subwords of the translations in a batch, which are of like length",
                   .range = {1, 1 << 20}});
  translation.add("max_words", &TranslationSettings::max_words,
                  {.acts_in = kTranslating,
                   .meaning = "pairs with more subwords on a side are left out of the training",
                   .range = {1, 10000}});
}

}  // namespace hinny

// Parallel sentences: the same in several languages, without pictures. A dataset of captions alone.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "recipe/recipe.h"
#include "systems/retrieval_system.h"

namespace hinny {

struct ParallelSentences {
  Dataset dataset;                        // in such languages alone; an image is a sentence
  std::vector<SystemLanguage> languages;  // of each of the dataset's
  int pivot = 0;                          // among the dataset's languages
  std::vector<int> sentences;             // of the train split, in the pivot and another language
};

// The languages that [parallel] has sentences in, besides the pivot: a model can learn them without
// a caption. None where it names no data.
std::set<std::string> languages_of_sentences(const Recipe& recipe);

// What [parallel] names, in those of `languages` that it has, which are the recipe's; none where it
// names no data. Throws InputError where that lacks the pivot, or has no sentence in it and another
// of the languages. Says how many sentences there are.
std::optional<ParallelSentences> load_parallel_sentences(const Recipe& recipe,
                                                         const std::vector<std::string>& languages);

}  // namespace hinny

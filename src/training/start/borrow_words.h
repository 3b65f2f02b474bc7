// Dictionary mapping: a language's rare words become words of another (Burns et al. 2020, Sec. 4).
#pragma once

#include "training/experiment/prepared_data.h"
#include "training/experiment/tensor_file.h"

namespace hinny {

// By text.dictionary: the vocabulary of each language but the lender keeps its words that are seen
// text.rare times, then those rarer ones that the dictionary translates into a word of the
// lender's, whose ids are returned; the rest go. A language without a dictionary keeps
// its words, and a message says so. Throws InputError when no language has one, or the lender is
// not learnt.
BorrowedWords borrow_words(Vocabularies& vocabularies, const TextSettings& text,
                           const std::vector<std::string>& languages);

// The same of a trained model, out of the tensors that its description names.
BorrowedWords borrowed_words(const ModelConfig& model, const NamedTensors& tensors);

}  // namespace hinny

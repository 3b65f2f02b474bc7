// Captions that an index stores with their vectors, to say what a picture shows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "encoder/read_sentences.h"

namespace hinny {

constexpr const char* kSentencesFile = "sentences.jsonl";
constexpr const char* kSentenceVectorsFile = "sentences.npy";

// Stores up to `per_language` captions of these images, spread evenly over them, with their
// vectors: sentences.jsonl and sentences.npy in `folder`. Writes nothing when that makes none.
// Shows progress.
void store_sentences(const Model& model, const Dataset& dataset, const std::vector<int>& images,
                     std::size_t per_language, const std::filesystem::path& folder);

// What store_sentences left in such a file. Throws InputError for a line that is none, and for a
// language that the model lacks.
std::vector<Sentence> read_stored_sentences(const std::filesystem::path& path,
                                            const ModelConfig& config);

}  // namespace hinny

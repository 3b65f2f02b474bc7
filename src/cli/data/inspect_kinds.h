// What `hinny inspect` says about each kind of file and folder, as JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "encoder/model.h"

namespace hinny {

// Each reads the whole thing through its own strict reader, so what it describes is also sound;
// InputError otherwise.
nlohmann::ordered_json inspect_dataset(const std::filesystem::path& folder);
nlohmann::ordered_json inspect_model(const std::filesystem::path& folder);
nlohmann::ordered_json inspect_index(const std::filesystem::path& folder);
nlohmann::ordered_json inspect_bundle(const std::filesystem::path& folder);

// Whether all files of an index are as they were written: "files", "bytes", and "damaged", a
// sentence for each that is not. Shows progress.
nlohmann::ordered_json inspect_checksums(const std::filesystem::path& folder);

// Which words share which latent token, the most shared first; and the first rows as a table.
nlohmann::ordered_json inspect_latent(const std::filesystem::path& folder);
std::string latent_as_text(const nlohmann::ordered_json& description);

// How many words of each language its training captions have at least `min_count` times, and how
// many of them two languages share: the Jaccard coefficient (Kadar et al. 2018, Table 1).
nlohmann::ordered_json inspect_words(const std::filesystem::path& folder, std::int64_t min_count);

nlohmann::ordered_json inspect_npy(const std::filesystem::path& path);
nlohmann::ordered_json inspect_safetensors(const std::filesystem::path& path);
nlohmann::ordered_json inspect_word_vectors(const std::filesystem::path& path);
nlohmann::ordered_json inspect_vocabulary(const std::filesystem::path& path);
nlohmann::ordered_json inspect_toml(const std::filesystem::path& path);

// Of the model in whatever holds it.
nlohmann::ordered_json describe_model(const Model& model);

}  // namespace hinny

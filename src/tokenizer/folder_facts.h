// What the small files beside a tokenizer say of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hinny {

// Whose program a folder was made for: they clean text in ways of their own.
enum class FolderKind { hugging_face, open_clip, photo_server };

struct FolderFacts {
  FolderKind kind = FolderKind::hugging_face;
  std::filesystem::path tokenizer;             // the folder with the tokenizer's files
  std::map<std::string, std::string> special;  // "pad_token" and such -> text
  std::vector<std::string> more_special;       // additional_special_tokens, in order
  std::map<std::string, bool> flags;           // "do_lower_case" and such
  std::size_t most = 0;                        // ids; 0: not said
  std::string cleaning;                        // tokenizer_kwargs.clean; "": not said

  std::optional<bool> flag(const std::string& name) const;
};

// Reads tokenizer_config.json, special_tokens_map.json, open_clip_config.json or, of a photo
// server's folder or its `textual/`, config.json, whichever are there. Throws InputError for broken
// ones.
FolderFacts read_folder_facts(const std::filesystem::path& folder);

}  // namespace hinny

// One JSONL file of captions, for a picture collection of one's own: docs/formats/imports.md.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "data/importers/import_writer.h"

namespace hinny {

struct JsonlOptions {
  std::string language{};  // of lines without "lang"; empty: they are an InputError
  // Shares of train, val and test for images without a "split".
  std::optional<std::array<int, 3>> shares{};
};

// "80/10/10"
std::array<int, 3> parse_shares(const std::string& text);

// The split of an image by the hash of its id: it stays the same when images are added.
std::string split_by_hash(const std::string& image_id, const std::array<int, 3>& shares);

// Reads the file twice: an image's split and file may stand on any of its lines.
void import_jsonl(const std::filesystem::path& file, const JsonlOptions& options,
                  ImportWriter& writer);

}  // namespace hinny

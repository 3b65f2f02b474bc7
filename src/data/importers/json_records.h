// One big JSON object read as a stream: only one element of its arrays is in memory at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "data/importers/import_writer.h"

namespace hinny {

// How deep values may lie in values, and what is said of deeper ones.
constexpr int kDeepestJson = 32;
InputError nested_too_deeply(const Place& place);

// Calls `use` for each object in the top-level arrays named in `arrays`, in file order, and
// returns the names of those arrays that were there. Everything else is passed over. Broken JSON
// or UTF-8, another shape, and an object above 16 MiB or nested deeper than 32 are InputErrors.
std::set<std::string> for_each_record(
    const std::filesystem::path& path, const std::set<std::string>& arrays,
    const std::function<void(const std::string& array, const nlohmann::json& record,
                             const Place& place)>& use);

// Fields of a record; InputError at `place` when one is missing or of another type.
std::string text_field(const nlohmann::json& record, const char* key, const Place& place);
std::string text_field_or(const nlohmann::json& record, const char* key, std::string fallback,
                          const Place& place);
// A string or a whole number (391895.0 as well).
std::string id_field(const nlohmann::json& record, const char* key, const Place& place);

}  // namespace hinny

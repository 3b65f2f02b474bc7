// What a film says of how it was taken.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "vision/picture_facts.h"

namespace hinny {

// As picture_facts, of a film. Its time is that of the camera's clock where it says so; else what
// lies beside it (XMP) or its name says; else its moment in UTC, as the time in this process's time
// zone. Throws as film_notes. Safe to call from several threads.
PictureFacts film_facts(const std::filesystem::path& film);

// The same by notes that film_notes gave.
PictureFacts film_facts(const std::filesystem::path& film,
                        const std::map<std::string, std::string>& notes);

}  // namespace hinny

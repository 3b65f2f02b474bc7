// What an index may hold beside what every index has: docs/formats/index.md. The one list of it:
// what changes with the images is told from what does not by it, and tests and fuzzers take each of
// these parts away in turn.
#pragma once

#include <filesystem>
#include <span>

namespace hinny {

struct OptionalPart {
  const char* name;                    // in messages
  std::span<const char* const> files;  // or folders: all of them, or none
  bool of_images;                      // made anew when the images change
  bool stated;  // index.json or the model says that it is there: without it the index is damaged
};
std::span<const OptionalPart> optional_parts();

// Whether a file or folder of an index is made anew when its images change.
bool depends_on_images(const std::filesystem::path& name);

}  // namespace hinny

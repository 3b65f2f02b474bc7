// The optional files of an index: docs/formats/index.md. This is the only list of them: it says
// which change with the images, and tests and fuzzers remove each of these parts in turn.
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

// Which program holds which verb.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace hinny {

struct VerbPlace {
  std::string_view verb;
  std::string_view program;  // "hinny", "hinny-data", "hinny-vision" or "hinny-learn"
  std::string_view summary;  // one line for `hinny --help`
};

const std::vector<VerbPlace>& verb_places();

// A small copy of a model (hinny export), which needs no libtorch to translate.
bool is_small_copy(const std::filesystem::path& folder);

// Replaces this process by the verb's program, which stands beside this one; returns only when
// there is nothing to hand over. Throws Failure when the program is not installed.
void hand_over(int argc, char** argv);

}  // namespace hinny

// A verb's options for programs that make manuals and completions of them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace hinny {

// JSON: {"verb", "summary", "footer", "verbs": [...], "modes": [{"how", "words", "found"}],
// "options": [{"names", "value", "meaning", "default", "required", "modes", "beside",
// "apart_from"}], "subcommands": [the same of each]}. `value` is what an option takes ("TEXT", "INT
// in [1 - 1024]"), or "" for a flag; the names of an argument without dashes are one word in
// capitals. `verbs`: second words. Modes and what an option says of them: cli/modes.h.
std::string describe(const CLI::App& command, const std::string& verb,
                     const std::vector<std::string>& second_words);

}  // namespace hinny

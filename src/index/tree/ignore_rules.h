// Which files and folders are left out, in the syntax of .gitignore.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

constexpr const char* kIgnoreFile = ".hinnyignore";

// One line of such a file.
struct IgnoreRule {
  std::string pattern;     // without '!', and without the slashes at its ends
  std::string text;        // as it was written
  std::string below;       // the folder it is of, seen from the root: "" or "a/b/"
  bool leaves_out = true;  // without '!'
  bool folders_only = false;
  bool anchored = false;  // of the whole path below `below`, else of the last name
};

// The rule of a line, or none: of a comment, or of nothing.
std::optional<IgnoreRule> ignore_rule(std::string_view line, std::string below = "");
// Those of a file's lines. A byte order mark, and carriage returns at the ends of lines, are none
// of the patterns.
std::vector<IgnoreRule> ignore_rules(std::string_view file, const std::string& below);

// Whether a rule is about this path, seen from the root. Letters may be composed or decomposed.
bool is_about(const IgnoreRule& rule, std::string_view path, bool folder);

// The last of them that is about a path decides it; nullptr: none is.
const IgnoreRule* deciding(const std::vector<IgnoreRule>& rules, std::string_view path,
                           bool folder);

// gitignore's patterns: * and ? within a name, [a-z], ** through folders, \ before what is meant as
// it stands. Takes time in proportion to both lengths.
bool matches(std::string_view pattern, std::string_view path);

// What programs leave in folders of pictures: previews, deleted files, other versions.
const std::vector<IgnoreRule>& usual_rules();

}  // namespace hinny

// Untrusted text on a terminal: file names, captions, messages of libraries. Printed as it is,
// an escape sequence among it moves the cursor, and a direction override shows another name.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace hinny {

// `text` as one line without anything that a terminal obeys. A control character of ASCII becomes
// \n, \t, \r or \x1b; delete, the controls U+0080 to U+009F, the direction marks U+202A to U+202E
// and U+2066 to U+2069, and the separators U+2028 and U+2029 become \u202e, as JSON writes them; a
// byte of no UTF-8 character, \xff. The rest stays, so that doing it twice changes nothing.
std::string terminal_text(std::string_view text);
// The same of several lines: what ends them stays.
std::string terminal_lines(std::string_view text);

// How messages and answers are printed: `format` and its arguments as one line. What the format
// ends in stays, a new line or "".
template <typename... Args>
void print_line(std::FILE* to, fmt::format_string<Args...> format, Args&&... args);
// Lines that are ready, JSON too: what it escapes is within JSON's strings, and stays JSON.
void print_lines(std::FILE* to, std::string_view text);

// Behind print_line.
void put_line(std::FILE* to, std::string_view text);

template <typename... Args>
void print_line(std::FILE* to, fmt::format_string<Args...> format, Args&&... args) {
  put_line(to, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace hinny

// Names of files as text. To Linux a name is any bytes; JSON and web pages hold UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// A name that is UTF-8 stays as it is. Of another, each byte 0x80 to 0xFF that belongs to no
// well-formed character becomes the private character U+EF80 to U+EFFF of the same last two digits;
// where a name has one of these characters itself, so do its three bytes. Thus different names have
// different texts, and the text of parts joined by '/' is their texts joined.
std::string path_text(std::string_view name);
// The name that has this text.
std::string path_from_text(std::string_view text);

}  // namespace hinny

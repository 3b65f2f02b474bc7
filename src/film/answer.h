// What hinny-film does: its command line and a film in, lines and pixels out (film_stream.h).
#pragma once

#include <span>
#include <string_view>

namespace hinny::film {

// Returns the exit code. Reads standard input, writes standard output; confines this process first.
int answer(std::span<const std::string_view> words);

}  // namespace hinny::film

// hinny-film: reads one film for hinny-vision, by FFmpeg, where it can do no harm. Nobody calls it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "base/terminal_text.h"
#include "film/answer.h"
#include "film/film_stream.h"

int main(int argc, char** argv) {
  try {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const int code = hinny::film::answer(words);
    if (code == 2) {
      hinny::print_line(
          stderr, "{} reads films for `hinny index --pictures` and `hinny serve`, which start it\n",
          hinny::film::kProgram);
    }
    ::_exit(code);  // what a film has left in memory is not gone through again
  } catch (const std::exception&) {
    return 1;
  }
}

// Asks an index from C++:  ask INDEX "ein Hund springt ins Wasser"
#include <cstdio>
#include <hinny/hinny.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s INDEX QUESTION\n", argv[0]);
    return 2;
  }
  try {
    const hinny::Collection photos(argv[1]);
    const hinny::Answer answer = photos.search(argv[2], {.k = 5});
    std::fprintf(stderr, "%zu pictures, asked in '%s'\n", photos.size(), answer.language.c_str());
    for (const hinny::Result& found : answer.results) {
      std::printf("%.6f %s %s\n", static_cast<double>(found.score), found.id.c_str(),
                  found.file.c_str());
    }
  } catch (const hinny::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const hinny::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

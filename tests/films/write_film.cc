// write_film FILE WIDTH HEIGHT SECONDS PICTURE...: a film that shows pictures one after the other,
// each for so many seconds: of the kind that FILE's name ends in (.webm, .mp4, .mkv, .avi, .mov).
// For tests that have no FFmpeg.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "film/written_film_fixture.h"

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "write_film FILE WIDTH HEIGHT SECONDS PICTURE...\n");
    return 2;
  }
  try {
    const std::filesystem::path file = argv[1];
    const std::string ending = file.extension();
    hinny::film::WrittenFilm film;
    film.format = ending == ".webm" ? "webm" : ending == ".mkv" ? "matroska" : ending.c_str() + 1;
    film.codec = ending == ".webm" ? AV_CODEC_ID_VP8 : AV_CODEC_ID_MPEG4;
    film.width = std::atoi(argv[2]);
    film.height = std::atoi(argv[3]);
    const int frames = static_cast<int>(std::atof(argv[4]) * film.rate);
    for (int i = 5; i < argc; ++i) film.scenes.push_back({128, 128, 128, frames, argv[i]});
    hinny::film::write_film(file, film);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_film: %s\n", error.what());
    return 1;
  }
}

// Films, read by a program of their own, hinny-film (film/film_stream.h): what FFmpeg makes of a
// stranger's bytes ends that program at most.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "vision/picture.h"

namespace hinny {

// Whether hinny-film is installed, beside the program that runs.
bool reads_films();
// Of what reads films; "" where nothing does.
std::string film_reader_version();

// Each of these throws InputError, which names the film, for one that cannot be read, that takes
// too long or too much memory, or that crashes what reads it; Interrupted after Ctrl-C; and Failure
// where hinny-film cannot be started. Safe to call from several threads; each call takes a
// processor of its own.

// What the film says, by the keys of film_stream.h.
std::map<std::string, std::string> film_notes(const std::filesystem::path& film);

// Frames that stand for the film, `most` (film::kMostFrames at most) or fewer, in their order: one
// of each scene. `at`: milliseconds from its beginning.
using TakeFrame = std::function<void(std::int64_t at, const Picture& frame)>;
void read_film_frames(const std::filesystem::path& film, int most, const TakeFrame& take);

// The frame of a moment that read_film_frames gave, the longer side `longest` at most.
Picture read_film_frame(const std::filesystem::path& film, std::int64_t at, int longest);

// For tests: a program in the place of hinny-film, and for how long it may work on each film.
void set_film_program(const std::filesystem::path& program, std::chrono::milliseconds time);

}  // namespace hinny

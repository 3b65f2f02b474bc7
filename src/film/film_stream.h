// What the program hinny-film is asked and what it answers. It reads one film, which is open at its
// standard input, and writes to its standard output, to the program that started it:
//
//   fact KEY TEXT               what the film says of itself, each KEY once at most
//   frame MS WIDTH HEIGHT       and then WIDTH x HEIGHT x 3 bytes, sRGB
//   end                         the last line, without which the rest is worth nothing
//   error TEXT                  in its place: why the film cannot be read
//
// Lines end in \n and are kLongestLine bytes at most.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinny::film {

inline constexpr const char* kProgram = "hinny-film";
// Words of its command line: `facts`; `frames MOST SIDE`; `frame MS SIDE`; `version`, which reads
// no film. MOST frames at most, whose longer side is SIDE pixels at most.
inline constexpr const char* kFacts = "facts";
inline constexpr const char* kFrames = "frames";
inline constexpr const char* kFrame = "frame";
inline constexpr const char* kVersion = "version";

// Of `fact`: when it was taken, by the camera's clock and by UTC (both ISO 8601); where (ISO 6709);
// with what; pixels of its pictures as they are seen, "1920 1080".
inline constexpr const char* kTaken = "taken";
inline constexpr const char* kCreated = "created";
inline constexpr const char* kPlace = "place";
inline constexpr const char* kMake = "make";
inline constexpr const char* kModel = "model";
inline constexpr const char* kSize = "size";

inline constexpr std::size_t kLongestLine = 2048;
inline constexpr int kMostFrames = 200;
inline constexpr int kMostSide = 16384;

// What it may take: bytes of memory, seconds of a processor, of which it spends kSecondsToChoose at
// most before it writes the frames that it has found by then. Whoever waits gives it kPatience
// times as long: disks and other programs take their time.
inline constexpr std::uint64_t kMostMemory = std::uint64_t{3} << 30U;
inline constexpr int kMostSeconds = 90;
inline constexpr int kSecondsToChoose = 40;
inline constexpr int kMostSecondsOfOneFrame = 15;
inline constexpr int kPatience = 4;

}  // namespace hinny::film

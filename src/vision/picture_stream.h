// What the program hinny-picture is asked and what it answers. It decodes one picture after the
// other for the program that started it, by messages over a socket (SOCK_SEQPACKET), its standard
// input; what is long goes into a file in memory, its standard output.
//
//   Answer ready                   first of all
//   Request picture, scenes, size, notes   with the picture's file, open
//   Answer needs                   before pixels are made; then it waits:
//   Request go_on, give_up
//   Answer                         one of the others
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vision/picture_notes.h"

namespace hinny::picture_stream {

inline constexpr const char* kProgram = "hinny-picture";
// Raised with each change of what stands here.
inline constexpr std::int64_t kVersion = 3;

inline constexpr int kSocket = 0;  // descriptors of the program's
inline constexpr int kLong = 1;

enum class Ask : std::int32_t { picture, scenes, size, notes, go_on, give_up };
struct Request {
  Ask ask = Ask::picture;
  std::int32_t shorter = 0, longer = 0;  // Enough
  std::int32_t most = 0;                 // scenes
  std::int64_t at = -1;                  // of the picture: a scene's moment
};

enum class Said : std::int32_t {
  ready,       // `first`: kVersion
  needs,       // `first` bytes, to decode the picture
  picture,     // of `first` x `second` pixels: these, and behind them the warning
  scenes,      // as scenes_text has them
  size,        // `first` x `second`
  notes,       // as notes_text has them
  refused,     // why: a RequestError
  unreadable,  // `first`: errno of reading the file
  no_memory,   // it takes more than kMostMemory
  gave_up,
};
struct Answer {
  Said said = Said::ready;
  std::int32_t pad = 0;
  std::int64_t first = 0, second = 0;
  std::uint64_t bytes = 0;  // in the file in memory, from its beginning
};

// Bytes of memory, of an answer, of one that is no picture.
inline constexpr std::uint64_t kMostMemory = std::uint64_t{3} << 30U;
inline constexpr std::uint64_t kMostAnswer = std::uint64_t{512} << 20U;
inline constexpr std::uint64_t kMostText = std::uint64_t{128} << 20U;
// That it keeps from one picture to the next, and that the file in memory keeps: 16 megapixels.
inline constexpr std::uint64_t kKept = std::uint64_t{48} << 20U;
// Seconds of a processor for one picture. Whoever waits gives it kPatience times as long: disks and
// other programs take their time.
inline constexpr int kMostSeconds = 120;
inline constexpr int kPatience = 4;

std::string notes_text(const PictureNotes& notes);
std::string scenes_text(const std::vector<std::int64_t>& moments);
// False where the text is none of these: of scenes, one to `most` moments, each later than the one
// before it.
bool read_scenes_text(std::string_view text, int most, std::vector<std::int64_t>& moments);
bool read_notes_text(std::string_view text, PictureNotes& notes);

}  // namespace hinny::picture_stream

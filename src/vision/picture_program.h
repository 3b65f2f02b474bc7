// Pictures, decoded by a program of its own, hinny-picture (picture_stream.h): what a stranger's
// bytes do to a decoder ends that program at most. As many of it run as threads decode; each goes
// on to the next picture, and is started anew after one that ended it. Internal to this level.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>

#include "vision/decode_here.h"

namespace hinny {

// Whether hinny-picture is installed, beside the program that runs. Else pictures are decoded in
// this process.
bool decodes_apart();

// As decode_here.h has it, of an open file. A picture that crashes the program, or takes more
// memory or time than one may, is a RequestError that says so: only where a program that had read
// no other before ends by it, too. Throws CannotRead, DecodingBusy, and Failure where the program
// cannot be started. Safe to call from several threads.
void decode_apart(int descriptor, const Enough& enough, const TakePicture& take,
                  std::int64_t at = kNoMoment);
std::vector<std::int64_t> scenes_apart(int descriptor, int most);
PictureSize size_apart(int descriptor);
PictureNotes notes_apart(int descriptor);

// Ends those that wait for a picture, and gives back what is kept for the next one. The next one
// starts them again.
void release_picture_programs();

// Bytes, as a file that is open.
class PassedBytes {
 public:
  explicit PassedBytes(std::span<const std::byte> bytes);
  ~PassedBytes();
  PassedBytes(const PassedBytes&) = delete;
  PassedBytes& operator=(const PassedBytes&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Another program from now on, and how long it may take for a picture; for tests. "": this process
// decodes.
void set_picture_program(const std::filesystem::path& program, std::chrono::milliseconds time);

}  // namespace hinny

// Whatever pictures.jsonl holds, it is read or refused with an InputError.
#include <fstream>

#include "base/error.h"
#include "index/tree/picture_records.h"
#include "tests/scratch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hinny::Scratch scratch;
  std::ofstream(scratch / hinny::kPictureRecordsFile, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    hinny::read_picture_records(
        scratch, [](const hinny::PictureRecord& record) { hinny::taken_of(record); });
  } catch (const hinny::InputError&) {
  }
  return 0;
}

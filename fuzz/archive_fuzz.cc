// Whatever an archive holds, it is unpacked or refused with an InputError, and nothing is written
// beside the folder. The first byte says what the rest is: the file itself, a tar that is packed
// here, or lines, each an entry: its type, its name, a tab, its content.
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "index/bundle/archive_fixture.h"
#include "index/bundle/bundle_archive.h"
#include "tests/scratch.h"

namespace {

unsigned type_of(char letter) {
  switch (letter) {
    case 'd':
      return AE_IFDIR;
    case 'l':
      return AE_IFLNK;
    case 'p':
      return AE_IFIFO;
    case 'c':
      return AE_IFCHR;
    default:
      return AE_IFREG;
  }
}

std::vector<hinny::ArchiveEntry> entries(std::string_view text) {
  std::vector<hinny::ArchiveEntry> all;
  while (!text.empty() && all.size() < 100) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    if (tab < 2) continue;
    hinny::ArchiveEntry entry{line.substr(1, tab - 1),
                              tab < line.size() ? line.substr(tab + 1) : ""};
    entry.type = type_of(line[0]);
    if (line[0] == 'l') entry.symlink = "../outside";
    if (line[0] == 'h') entry.hardlink = "../outside";
    all.push_back(entry);
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hinny::Scratch scratch;
  if (size == 0) return 0;
  const std::filesystem::path file = scratch / "x.tar.gz", box = scratch / "box";
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 == 0) {
    std::ofstream(file, std::ios::binary) << rest;
  } else if (data[0] % 4 == 1) {
    hinny::write_gzip(file, rest);
  } else {
    hinny::write_archive(file, entries(rest));
  }
  std::filesystem::remove_all(box);
  std::filesystem::create_directories(box / "in");
  try {
    hinny::unpack_bundle(file, box / "in");
  } catch (const hinny::InputError&) {
  }
  for (const auto& item : std::filesystem::directory_iterator(box)) {
    if (item.path() != box / "in") std::abort();
  }
  for (const auto& item : std::filesystem::recursive_directory_iterator(box)) {
    if (item.is_symlink() || (!item.is_regular_file() && !item.is_directory())) std::abort();
  }
  return 0;
}

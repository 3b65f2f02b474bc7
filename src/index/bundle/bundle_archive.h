// A bundle in one file, .tar.gz or .tar.zst: docs/formats/bundle.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace hinny {

// What an archive may hold, refused before it is written.
constexpr std::uint64_t kMostUnpacked = std::uint64_t{4} << 30;  // bytes of all files
constexpr std::size_t kMostPackedFiles = 64;
// And so many bytes for each byte of the archive, beside the first MiB.
constexpr std::uint64_t kMostExpansion = 100;
// Bytes, of an archive of so many.
std::uint64_t most_unpacked(std::uint64_t packed);

// Writes the files of a bundle's folder as one, by the ending of its name; it appears whole or not
// at all. The same files give the same bytes. Throws InputError for more than may be unpacked.
void pack_bundle(const std::filesystem::path& folder, const std::filesystem::path& file);

// Writes an archive's files into `folder`, which is there and empty. Nothing else is written, and
// nothing anywhere else. Throws InputError for anything but a whole bundle (some files may be
// written then): links, names that a bundle does not have, a name twice, more than above, a file
// that is not the one that bundle.json names. Throws Interrupted after Ctrl-C.
void unpack_bundle(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace hinny

// For tests: archives of any content, made by libarchive.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace hinny {

// One entry of an archive, as hostile as libarchive writes it.
struct ArchiveEntry {
  std::string name;
  std::string content{};
  unsigned type = AE_IFREG;
  std::string hardlink{}, symlink{};
  bool holes = false;  // of the content only the first 512 bytes are there
};

// By these filters (ARCHIVE_FILTER_GZIP, ...), the last of them first.
inline void write_archive(const std::filesystem::path& file,
                          const std::vector<ArchiveEntry>& entries,
                          const std::vector<int>& filters = {ARCHIVE_FILTER_GZIP}) {
  archive* writer = archive_write_new();
  const bool holes = std::ranges::any_of(entries, &ArchiveEntry::holes);
  holes ? archive_write_set_format_pax(writer) : archive_write_set_format_gnutar(writer);
  for (const int filter : filters) archive_write_add_filter(writer, filter);
  archive_write_open_filename(writer, file.c_str());
  for (const ArchiveEntry& given : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, given.name.c_str());
    archive_entry_set_filetype(entry, given.type);
    archive_entry_set_perm(entry, 0777);
    archive_entry_set_size(entry, static_cast<la_int64_t>(given.content.size()));
    if (!given.hardlink.empty()) archive_entry_set_hardlink(entry, given.hardlink.c_str());
    if (!given.symlink.empty()) archive_entry_set_symlink(entry, given.symlink.c_str());
    if (given.holes) archive_entry_sparse_add_entry(entry, 0, 512);
    archive_write_header(writer, entry);
    archive_write_data(writer, given.content.data(), given.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
}

inline void write_gzip(const std::filesystem::path& file, const std::string& bytes) {
  const gzFile packed = gzopen(file.c_str(), "wb");
  gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(packed);
}

}  // namespace hinny

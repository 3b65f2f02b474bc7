#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/folders.h"
#include "base/interrupt.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_record.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kUnpackedAtOnce = std::size_t{1} << 18;
constexpr std::uint64_t kMostAnyway = std::uint64_t{1} << 20;  // bytes, whatever the archive's size
constexpr std::size_t kLongestShown = 60;                      // bytes of a name
constexpr int kOneFilter = 2;  // libarchive counts the bare file too

// For one line of a terminal: names in an archive may be any bytes.
std::string shown(std::string_view name) {
  std::string text(name.substr(0, kLongestShown));
  for (char& byte : text) {
    if (byte < ' ' || byte > '~') byte = '?';
  }
  return name.size() > kLongestShown ? text + "..." : text;
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char byte : path) {
    if (byte == '/') {
      parts.emplace_back();
    } else {
      parts.back() += byte;
    }
  }
  return parts;
}

class Unpacking {
 public:
  Unpacking(const fs::path& file, const fs::path& folder)
      : file_(file), folder_(folder), reader_(archive_read_new()) {
    if (!reader_) throw std::bad_alloc();
    archive_read_support_format_tar(reader_.get());
    archive_read_support_filter_gzip(reader_.get());
    archive_read_support_filter_zstd(reader_.get());
    std::error_code problem;
    most_ = most_unpacked(fs::file_size(file, problem));
    const bool opened =
        !problem && archive_read_open_filename(reader_.get(), file.c_str(), kUnpackedAtOnce) == 0;
    if (problem || (!opened && archive_errno(reader_.get()) == EACCES)) {
      throw InputError(file, "cannot be read", "a readable file");
    }
    if (!opened || archive_filter_count(reader_.get()) != kOneFilter) {
      throw InputError(file, "is no bundle", "a folder, or an archive .tar.gz or .tar.zst");
    }
  }

  void run() {
    archive_entry* entry = nullptr;
    for (;;) {
      const int result = archive_read_next_header(reader_.get(), &entry);
      if (result == ARCHIVE_EOF) return;
      if (result != ARCHIVE_OK) broken();
      take(entry);
    }
  }

 private:
  struct Free {
    void operator()(archive* reader) const { archive_read_free(reader); }
  };

  [[noreturn]] void refuse(std::string_view name, std::string_view what,
                           std::string_view expected) const {
    throw InputError(file_, fmt::format("holds '{}', {}", shown(name), what), expected);
  }
  [[noreturn]] void broken() const {
    const char* why = archive_error_string(reader_.get());
    throw InputError(file_,
                     fmt::format("is broken or cut off: {}", shown(why == nullptr ? "" : why)),
                     "an archive as `hinny bundle` wrote it");
  }

  void take(archive_entry* entry) {
    const char* raw = archive_entry_pathname(entry);
    const std::string_view path = raw == nullptr ? "" : raw;
    const auto type = archive_entry_filetype(entry);
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr ||
        (type != AE_IFREG && type != AE_IFDIR) || archive_entry_sparse_count(entry) > 0) {
      refuse(path, "a link, a device or a file with holes", "files and folders alone");
    }
    const std::optional<std::string> name = name_in_bundle(path, type == AE_IFDIR);
    const la_int64_t size = archive_entry_size(entry);
    if (size < 0 || (type == AE_IFDIR && size > 0)) refuse(path, "of no possible size", "");
    if (!name) return;
    if (!seen_.insert(*name).second) refuse(path, "for the second time", "each name once");
    if (seen_.size() > kMostPackedFiles) {
      refuse(path, "one file too many", fmt::format("{} at most", kMostPackedFiles));
    }
    if (type == AE_IFREG) write(*name, static_cast<std::uint64_t>(size));
  }

  // Below the bundle's folder; none of that folder itself, which may be the archive's one folder.
  std::optional<std::string> name_in_bundle(std::string_view path, bool folder) {
    if (folder && (path == "." || path == "./")) return std::nullopt;
    std::vector<std::string> parts = parts_of(path);
    if (parts.size() > 1 && parts.front() == ".") parts.erase(parts.begin());
    if (folder && parts.size() > 1 && parts.back().empty()) parts.pop_back();
    for (const std::string& part : parts) {
      if (part.empty() || part == "." || part == "..") {
        refuse(path, "which may lead out of the bundle", "names inside it");
      }
    }
    const auto is_part = [](const std::string& part, bool of_folder) {
      return of_folder ? part == kNetworksFolder : may_be_in_bundle(part);
    };
    if (!top_) top_ = is_part(parts[0], folder || parts.size() > 1) ? "" : parts[0];
    if (!top_->empty() && parts[0] == *top_) {
      parts.erase(parts.begin());
      if (folder && parts.empty()) return std::nullopt;
    } else if (!top_->empty()) {
      refuse(path, "which is beside the bundle", "one folder with all of it");
    }
    const std::string name = fmt::format("{}", fmt::join(parts, "/"));
    if (!is_part(name, folder)) {
      refuse(path, "which is no part of a bundle", "the files in docs/formats/bundle.md");
    }
    return name;
  }

  void write(const std::string& name, std::uint64_t size) {
    if (size > most_ - bytes_) {
      throw InputError(file_, fmt::format("unpacks to more than {} bytes", most_),
                       fmt::format("at most {} for each byte of it, and {} in all", kMostExpansion,
                                   kMostUnpacked));
    }
    bytes_ += size;
    const fs::path target = folder_ / name;
    if (target.parent_path() != folder_) create_folder(target.parent_path());
    std::ofstream out(target, std::ios::binary);
    for (std::uint64_t left = size; left > 0 && out;) {
      stop_if_interrupted();
      const la_ssize_t count = archive_read_data(reader_.get(), block_.data(), block_.size());
      if (count <= 0 || static_cast<std::uint64_t>(count) > left) broken();
      left -= static_cast<std::uint64_t>(count);
      out.write(block_.data(), count);
    }
    if (!out.flush()) throw Failure::from_errno("cannot write " + target.string());
  }

  const fs::path& file_;
  const fs::path& folder_;
  std::unique_ptr<archive, Free> reader_;
  std::uint64_t most_ = 0, bytes_ = 0;
  std::optional<std::string> top_;  // the archive's one folder; "": the files are in none
  std::set<std::string> seen_;
  std::vector<char> block_ = std::vector<char>(kUnpackedAtOnce);
};

}  // namespace

std::uint64_t most_unpacked(std::uint64_t packed) {
  return std::min(kMostUnpacked, kMostAnyway + kMostExpansion * std::min(packed, kMostUnpacked));
}

void unpack_bundle(const fs::path& file, const fs::path& folder) {
  Unpacking(file, folder).run();
  if (!fs::exists(folder / kBundleFile)) {
    throw InputError(file, "holds no bundle.json", "a bundle as `hinny bundle` wrote it");
  }
  check_files(folder, read_bundle_record(folder / kBundleFile));
}

}  // namespace hinny

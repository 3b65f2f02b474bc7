#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_file.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_record.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPackedAtOnce = std::size_t{1} << 20;
constexpr const char* kTop = "bundle";  // what unpacking by hand makes
constexpr int kMode = 0644;

struct Free {
  void operator()(archive* writer) const { archive_write_free(writer); }
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

// libarchive is C: what the file throws waits until it has returned.
struct Sink {
  AtomicFile file;
  std::uint64_t bytes = 0;
  std::exception_ptr problem{};

  static la_ssize_t write(archive*, void* self, const void* data, std::size_t size) {
    auto& sink = *static_cast<Sink*>(self);
    try {
      sink.file.write(std::string_view(static_cast<const char*>(data), size));
      sink.bytes += size;
      return static_cast<la_ssize_t>(size);
    } catch (...) {
      sink.problem = std::current_exception();
      return -1;
    }
  }
};

class Packing {
 public:
  explicit Packing(const fs::path& file)
      : file_(file), sink_{AtomicFile(file)}, writer_(archive_write_new()) {
    if (!writer_) throw std::bad_alloc();
    const bool zstd = file.extension() == ".zst";
    check(archive_write_set_format_gnutar(writer_.get()));
    check(zstd ? archive_write_add_filter_zstd(writer_.get())
               : archive_write_add_filter_gzip(writer_.get()));
    // gzip would say when it was made.
    if (!zstd) check(archive_write_set_filter_option(writer_.get(), "gzip", "timestamp", nullptr));
    check(archive_write_set_bytes_in_last_block(writer_.get(), 1));
    check(archive_write_open(writer_.get(), &sink_, nullptr, Sink::write, nullptr));
  }

  void add(const fs::path& folder, const std::string& name) {
    const MappedFile content(folder / name);
    const auto bytes = content.bytes();
    const std::unique_ptr<archive_entry, Free> entry(archive_entry_new());
    if (!entry) throw std::bad_alloc();
    archive_entry_set_pathname(entry.get(), fmt::format("{}/{}", kTop, name).c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), kMode);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    check(archive_write_header(writer_.get(), entry.get()));
    for (std::size_t first = 0; first < bytes.size(); first += kPackedAtOnce) {
      stop_if_interrupted();
      const std::size_t count = std::min(kPackedAtOnce, bytes.size() - first);
      const auto written = archive_write_data(writer_.get(), bytes.data() + first, count);
      check(written == static_cast<la_ssize_t>(count) ? ARCHIVE_OK : ARCHIVE_FATAL);
    }
  }

  std::uint64_t finish() {
    check(archive_write_close(writer_.get()));
    return sink_.bytes;
  }
  void commit() { sink_.file.commit(); }

 private:
  void check(int result) {
    if (result == ARCHIVE_OK) return;
    if (sink_.problem) std::rethrow_exception(sink_.problem);
    const char* why = archive_error_string(writer_.get());
    throw Failure(fmt::format("cannot write {}: {}", file_.string(), why == nullptr ? "" : why));
  }

  const fs::path& file_;
  Sink sink_;
  std::unique_ptr<archive, Free> writer_;  // writes to the sink, so it goes first
};

}  // namespace

void pack_bundle(const fs::path& folder, const fs::path& file) {
  const std::vector<std::string> names = files_of_bundle(folder);
  std::uint64_t bytes = 0;
  for (const std::string& name : names) bytes += fs::file_size(folder / name);
  if (names.size() > kMostPackedFiles || bytes > kMostUnpacked) {
    throw InputError(file, fmt::format("{} files of {} bytes", names.size(), bytes),
                     fmt::format("at most {} and {}: a folder", kMostPackedFiles, kMostUnpacked));
  }
  Packing packing(file);
  for (const std::string& name : names) packing.add(folder, name);
  if (bytes > most_unpacked(packing.finish())) {
    throw InputError(file, "shrinks more than an archive may", "a folder");
  }
  packing.commit();
}

}  // namespace hinny

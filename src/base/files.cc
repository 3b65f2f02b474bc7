#include "base/files.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/folder_name.h"

namespace hinny {
namespace fs = std::filesystem;

void copy_whole_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  const MappedFile source(from);
  AtomicFile target(to);
  target.write(source.bytes());
  target.commit();
}

void check_replaceable(const fs::path& folder, std::string_view file, std::string_view what) {
  if (!fs::exists(folder) || fs::exists(folder / file)) return;
  if (fs::is_directory(folder) && fs::is_empty(folder)) return;
  throw InputError(folder, fmt::format("is there and is no {}", what),
                   fmt::format("a new folder, or another {} to replace", what));
}

std::set<std::string> names_of_files(const fs::path& folder, std::string_view extension) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == extension) names.insert(entry.path().stem().string());
  }
  return names;
}

void create_folder(const fs::path& path) {
  std::error_code problem;
  std::vector<fs::path> fresh;  // the innermost first
  const fs::path whole = without_slash(path);
  for (fs::path part = whole; !part.empty() && !fs::exists(part, problem);
       part = part.parent_path()) {
    fresh.push_back(part);
  }
  fs::create_directories(whole, problem);
  if (problem || !fs::is_directory(path)) {
    throw Failure(fmt::format("cannot create folder {}: {}", path.string(),
                              problem ? problem.message() : "a file is in its place"));
  }
  for (const fs::path& folder : fresh) sync_name(folder);
}

// Not by a map: a file that another program cuts short meanwhile would end this one.
std::string read_file(const fs::path& path, std::uint64_t most_bytes) {
  const OpenFile file(path);
  if (file.size() > most_bytes) {
    throw InputError(path, fmt::format("{} bytes", file.size()),
                     fmt::format("at most {}", most_bytes));
  }
  std::string bytes(file.size(), '\0');
  bytes.resize(file.read(bytes.data(), bytes.size()));
  return bytes;
}

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

MappedFile::MappedFile(const fs::path& path) {
  const OpenFile file(path);
  size_ = file.size();
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (address == MAP_FAILED) throw Failure::from_errno("cannot map " + path.string());
  data_ = static_cast<const std::byte*>(address);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

namespace {

std::string as_text(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return as_text(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string content_hash(const fs::path& path) {
  const OpenFile file(path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<char> block(std::size_t{1} << 18U);
  for (;;) {
    const std::size_t count = file.read(block.data(), block.size());
    XXH3_128bits_update(state.get(), block.data(), count);
    if (count < block.size()) return as_text(XXH3_128bits_digest(state.get()));
  }
}

}  // namespace hinny

#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

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
  fs::create_directories(path, problem);
  if (problem || !fs::is_directory(path)) {
    throw Failure(fmt::format("cannot create folder {}: {}", path.string(),
                              problem ? problem.message() : "a file is in its place"));
  }
}

std::string read_file(const fs::path& path, std::uint64_t most_bytes) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() > most_bytes) {
    throw InputError(path, fmt::format("{} bytes", bytes.size()),
                     fmt::format("at most {}", most_bytes));
  }
  return bytes.empty() ? std::string()
                       : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

MappedFile::MappedFile(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) throw InputError(path, "no such file", "");
    throw InputError(path, std::string("cannot open: ") + std::strerror(errno), "a readable file");
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw InputError(path, "not a regular file", "a file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      ::close(descriptor);
      throw Failure::from_errno("cannot map " + path.string());
    }
    data_ = static_cast<const std::byte*>(address);
  }
  ::close(descriptor);
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

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string content_hash(const fs::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return content_hash(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace hinny

#include "base/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {
namespace {

constexpr mode_t kMode = 0644;

}  // namespace

AppendFile::AppendFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open_file(path_, O_WRONLY | O_APPEND | O_CREAT, kMode)) {
  if (descriptor_ < 0) throw Failure::from_errno("cannot write " + path_.string());
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::add(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) throw Failure::from_errno("cannot write " + path_.string());
}

void AppendFile::sync() {
  if (sync_file(descriptor_) != 0) throw Failure::from_errno("cannot sync " + path_.string());
}

}  // namespace hinny

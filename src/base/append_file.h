// A file that grows by whole lines or records while the program runs, such as a log.
#pragma once

#include <filesystem>
#include <string_view>

namespace hinny {

// Opens the file to write behind what it has, or makes it. Throws Failure when the disk does not
// take it.
class AppendFile {
 public:
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Given to the system at once, without a sync: what a killed process wrote is there.
  void add(std::string_view bytes);
  // What was added is there when the machine loses power.
  void sync();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace hinny

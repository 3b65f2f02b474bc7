// Folders that are whole or absent: filled beside their place, synced, then renamed into it.
#pragma once

#include <filesystem>
#include <string_view>

namespace hinny {

// A folder that appears under its name only on commit(), replacing an earlier one as a whole.
// Fill path() in between. Readers that hold the old folder's files open keep them.
class AtomicFolder {
 public:
  explicit AtomicFolder(const std::filesystem::path& path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  void commit();

 private:
  [[noreturn]] void give_up() const;
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

// What is there and is no `what`, which has a file of this name, must stay: an AtomicFolder would
// replace it as a whole. Throws InputError, unless nothing or an empty folder is there.
void check_replaceable(const std::filesystem::path& folder, std::string_view file,
                       std::string_view what);

}  // namespace hinny

#include "index/picture_tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 11> kRead = {
    ".jpg", ".jpeg", ".jpe", ".png", ".webp", ".heic", ".heif", ".hif", ".avif", ".tif", ".tiff"};
constexpr std::array<std::string_view, 13> kNotRead = {".gif", ".bmp", ".jxl", ".jp2", ".dng",
                                                       ".cr2", ".cr3", ".nef", ".arw", ".orf",
                                                       ".raf", ".rw2", ".psd"};

std::string ending_of(const fs::path& name) {
  std::string ending = name.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending;
}

class Walk {
 public:
  Walk(const fs::path& root, const VisitFolder& on_folder) : on_folder_(on_folder) {
    std::error_code error;
    tree_.root = fs::canonical(root, error);
    if (error || !fs::is_directory(tree_.root)) {
      throw InputError(root, error ? error.message() : "is no folder", "a folder of pictures");
    }
    fs::directory_iterator first(tree_.root, error);
    if (error) throw InputError(root, error.message(), "a folder that can be read");
    visit(tree_.root);
    // A stack instead of recursion: trees may be deep.
    while (!folders_.empty()) {
      const fs::path folder = std::move(folders_.back());
      folders_.pop_back();
      read(folder);
    }
    std::ranges::sort(tree_.pictures, {}, &TreePicture::file);
  }

  PictureTree result() && { return std::move(tree_); }

 private:
  // Each folder once, by whatever links it is reached.
  void visit(const fs::path& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return leave_out(folder, std::strerror(errno));
    if (!visited_.insert({status.st_dev, status.st_ino}).second) return;
    if (on_folder_) on_folder_(folder);
    folders_.push_back(folder);
  }

  void read(const fs::path& folder) {
    stop_if_interrupted();
    std::error_code error;
    fs::directory_iterator item(folder, error);
    if (error) return leave_out(folder, error.message());
    for (; item != fs::directory_iterator(); item.increment(error)) {
      if (error) return leave_out(folder, error.message());
      if (item->path().filename().native().starts_with('.')) continue;
      look_at(item->path());
    }
    if (error) leave_out(folder, error.message());
  }

  void look_at(const fs::path& path) {
    const std::string ending = ending_of(path.filename());
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      if (std::ranges::count(kRead, ending) > 0) leave_out(path, std::strerror(errno));
      return;
    }
    if (S_ISDIR(status.st_mode)) return visit(path);
    if (!S_ISREG(status.st_mode)) return;
    if (std::ranges::count(kNotRead, ending) > 0) ++tree_.other_formats;
    if (std::ranges::count(kRead, ending) == 0) return;
    std::string file = path.lexically_relative(tree_.root).string();
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    tree_.pictures.push_back({std::move(file), static_cast<std::uint64_t>(status.st_size),
                              status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec});
  }

  void leave_out(const fs::path& path, std::string why) {
    tree_.left_out.push_back({path.string(), std::move(why)});
  }

  const VisitFolder& on_folder_;
  PictureTree tree_;
  std::vector<fs::path> folders_;  // still to be read
  std::set<std::pair<dev_t, ino_t>> visited_;
};

}  // namespace

PictureTree find_pictures(const fs::path& root, const VisitFolder& visit) {
  return Walk(root, visit).result();
}

bool is_picture_name(const fs::path& name) {
  return std::ranges::count(kRead, ending_of(name.filename())) > 0;
}

}  // namespace hinny

#include "index/asking/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/day.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/request_error.h"
#include "index/folder/index.h"
#include "text/name_forms.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// Which pictures lie below a folder, by the names of their files as the index has them: below the
// folder that holds them all.
class Below {
 public:
  // `folder` is absolute and normal.
  Below(const Index& index, const std::string& folder)
      : files_(index.contents().files), above_(with_slash(index.contents().pictures.string())) {
    set(folder);
  }

  void set(const std::string& folder) { folder_ = with_slash(folder); }
  // In whatever letters.
  void forgive() {
    forgives_ = true;
    folder_ = composed(folder_);
  }
  bool operator()(std::size_t image) const {
    const std::string& file = files_[image];
    if (file.empty()) return false;
    if (forgives_) return composed(above_ + file).starts_with(folder_);
    if (folder_.size() <= above_.size()) return above_.starts_with(folder_);
    return folder_.starts_with(above_) &&
           file.starts_with(std::string_view(folder_).substr(above_.size()));
  }
  bool any() const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if ((*this)(i)) return true;
    }
    return false;
  }

 private:
  static std::string with_slash(std::string folder) {
    if (!folder.ends_with('/')) folder += '/';
    return folder;
  }

  const std::vector<std::string>& files_;
  std::string above_, folder_;
  bool forgives_ = false;
};

// Exactly that folder where the index has it; else as links lead to it; else in other letters.
Below below(const Index& index, const std::string& asked) {
  const fs::path folder = (index.root() / path_from_text(asked)).lexically_normal();
  Below found(index, folder.string());
  if (found.any()) return found;
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (!error && real != folder) {
    found.set(real.string());
    if (found.any()) return found;
    found.set(folder.string());
  }
  found.forgive();
  return found;
}

// Of all folders of the index, seen from its root.
std::set<std::string> folders_of(const Index& index) {
  std::set<std::string> folders;
  const fs::path root = index.root();
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::string file = index.picture(i);
    if (file.empty()) continue;
    std::string folder = fs::path(file).parent_path().lexically_relative(root).string();
    for (; folder != "." && !folder.empty(); folder.resize(folder.rfind('/'))) {
      if (!folders.insert(path_text(folder)).second) break;
      if (folder.find('/') == std::string::npos) break;
    }
  }
  return folders;
}

// "until" names a period's end, which people do not write.
std::string period_text(const Filter& filter) {
  if (!filter.until) return fmt::format("since {}", time_text(*filter.since));
  const std::string until = time_text(*filter.until);
  if (!filter.since) return fmt::format("before {}", until);
  return fmt::format("from {} up to {}", time_text(*filter.since), until);
}

}  // namespace

const std::vector<std::int64_t>& known_times(const Index& index) {
  if (!index.times().empty()) return index.times();
  throw RequestError("this index does not know when its pictures were taken",
                     "one of a folder of pictures (hinny index --pictures)");
}

std::vector<std::size_t> matching(const Index& index, const Filter& filter) {
  const std::vector<std::int64_t>* times = nullptr;
  if (filter.since || filter.until) times = &known_times(index);
  std::optional<Below> folder;
  if (!filter.folder.empty()) folder.emplace(below(index, filter.folder));
  std::vector<std::size_t> images;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (times != nullptr && filter.since && (*times)[i] < *filter.since) continue;
    if (times != nullptr && filter.until && (*times)[i] >= *filter.until) continue;
    if (folder && !(*folder)(i)) continue;
    images.push_back(i);
  }
  return images;
}

std::string why_nothing(const Index& index, const Filter& filter) {
  if (!filter.any() || !matching(index, filter).empty()) return "";
  if (!filter.folder.empty() && matching(index, {{}, {}, filter.folder}).empty()) {
    constexpr std::size_t kLongest = 4096;  // comparing takes the product of the lengths
    const std::string asked = filter.folder.substr(0, kLongest);
    return fmt::format("no folder '{}' in the index{}", asked,
                       did_you_mean(asked, folders_of(index)));
  }
  const auto [oldest, newest] = std::ranges::minmax_element(index.times());
  return fmt::format("no picture {}was taken {} (the index's are from {} to {})",
                     filter.folder.empty() ? "" : "of that folder ", period_text(filter),
                     time_text(*oldest).substr(0, 10), time_text(*newest).substr(0, 10));
}

}  // namespace hinny

#include "index/filter.h"

#include <filesystem>

#include "base/path_text.h"
#include "base/request_error.h"
#include "index/index.h"

namespace hinny {
namespace fs = std::filesystem;

const std::vector<std::int64_t>& known_times(const Index& index) {
  if (!index.times().empty()) return index.times();
  throw RequestError("this index does not know when its pictures were taken",
                     "one of a folder of pictures (hinny index --pictures)");
}

std::vector<std::size_t> matching(const Index& index, const Filter& filter) {
  const std::vector<std::int64_t>* times = nullptr;
  if (filter.since || filter.until) times = &known_times(index);
  std::string folder;
  if (!filter.folder.empty()) {
    folder = (index.root() / path_from_text(filter.folder)).lexically_normal().string();
    if (!folder.ends_with('/')) folder += '/';
  }
  std::vector<std::size_t> images;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (times != nullptr && filter.since && (*times)[i] < *filter.since) continue;
    if (times != nullptr && filter.until && (*times)[i] >= *filter.until) continue;
    if (!folder.empty() && !index.picture(i).starts_with(folder)) continue;
    images.push_back(i);
  }
  return images;
}

}  // namespace hinny

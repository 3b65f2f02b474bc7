#include "base/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/folder_name.h"

namespace hinny {
namespace fs = std::filesystem;

std::vector<fs::directory_entry> entries_in(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code problem;
  fs::directory_iterator item(folder, problem);
  for (; !problem && item != fs::directory_iterator(); item.increment(problem)) {
    entries.push_back(*item);
  }
  const bool missing =
      problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory;
  if (problem && !missing) {
    throw Failure(fmt::format("cannot list {}: {}", folder.string(), problem.message()));
  }
  std::ranges::sort(entries);
  return entries;
}

std::set<std::string> names_of_files(const fs::path& folder, std::string_view extension) {
  std::set<std::string> names;
  for (const auto& entry : entries_in(folder)) {
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

}  // namespace hinny

#include "index/tree/picture_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/read_file.h"
#include "index/tree/ignore_rules.h"
#include "index/tree/raw_pairs.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kNoMedia = ".nomedia";

// The rules of a folder's file, and of those above it.
struct FolderRules {
  std::shared_ptr<const FolderRules> above;
  std::vector<IgnoreRule> rules;
  std::string file;
};

struct Verdict {
  const IgnoreRule* rule = nullptr;
  std::string by{};

  bool leaves_out() const { return rule != nullptr && rule->leaves_out; }
  bool wants() const { return rule != nullptr && !rule->leaves_out; }
};

class Walk {
 public:
  Walk(const fs::path& root, const VisitFolder& on_folder, const std::vector<std::string>& exclude,
       bool films)
      : on_folder_(on_folder), films_(films) {
    std::error_code error;
    tree_.listed = std::chrono::system_clock::now();
    tree_.root = fs::canonical(root, error);
    if (error || !fs::is_directory(tree_.root, error)) {
      throw InputError(root, error ? error.message() : "is no folder", "a folder of pictures");
    }
    fs::directory_iterator first(tree_.root, error);
    if (error) throw InputError(root, error.message(), "a folder that can be read");
    for (const std::string& pattern : exclude) {
      if (auto rule = ignore_rule(pattern)) exclude_.push_back(std::move(*rule));
    }
    visit({tree_.root, nullptr, true});
    // A list instead of recursion: trees may be deep.
    while (!folders_.empty() || !links_.empty()) {
      if (folders_.empty()) {
        follow(take(links_));
      } else {
        read(take(folders_));
      }
    }
    std::ranges::sort(tree_.pictures, {}, &TreePicture::file);
    join_raw_pairs(tree_.pictures);
    for (auto& [key, ignored] : ignored_) tree_.ignored.push_back(std::move(ignored));
  }

  PictureTree result() && { return std::move(tree_); }

 private:
  struct Folder {
    fs::path path;
    std::shared_ptr<const FolderRules> rules;
    bool wanted = false;  // by a rule, or by the user: a .nomedia in it does not count
  };

  static Folder take(std::deque<Folder>& list) {
    Folder folder = std::move(list.front());
    list.pop_front();
    return folder;
  }

  std::string below_root(const fs::path& path) const {
    return path.lexically_relative(tree_.root).string();
  }

  // Each folder once, by whatever links it is reached.
  void visit(Folder folder) {
    struct stat status {};
    if (::stat(folder.path.c_str(), &status) != 0) {
      return leave_out(folder.path, std::strerror(errno));
    }
    if (!visited_.insert({status.st_dev, status.st_ino}).second) return;
    if (on_folder_) on_folder_(folder.path);
    folders_.push_back(std::move(folder));
  }

  // Links come after all folders, which thus keep their own names. What is below the root and was
  // not met there was left out, or is hidden and wanted by whoever made the link.
  void follow(Folder link) {
    std::error_code error;
    const fs::path real = fs::canonical(link.path, error);
    if (error) return leave_out(link.path, error.message());
    const fs::path below = real.lexically_relative(tree_.root);
    const bool inside = !below.empty() && *below.begin() != "..";
    const bool hidden = std::ranges::any_of(below, [](const fs::path& part) {
      return part.native().starts_with('.') && part != "." && part != "..";
    });
    if (!inside || hidden) visit(std::move(link));
  }

  void read(Folder folder) {
    stop_if_interrupted();
    std::error_code error;
    std::vector<fs::directory_entry> items;
    fs::directory_iterator item(folder.path, error);
    if (error) return leave_out(folder.path, error.message());
    if (::faccessat(AT_FDCWD, folder.path.c_str(), X_OK, AT_EACCESS) != 0) {
      return leave_out(folder.path, std::strerror(errno));  // names alone can be read
    }
    for (; item != fs::directory_iterator(); item.increment(error)) {
      if (error) break;
      items.push_back(*item);
    }
    if (error) leave_out(folder.path, error.message());
    std::ranges::sort(items, {}, [](const auto& one) { return one.path().native(); });
    if (!folder.wanted && holds(items, kNoMedia)) {
      return ignore(folder.path, true, kNoMedia, "");
    }
    if (holds(items, kIgnoreFile) && !add_rules(folder)) return;
    const std::set<fs::path> photographs = films_ ? photographs_of(items) : std::set<fs::path>();
    for (const fs::directory_entry& one : items) {
      if (one.path().filename().native().starts_with('.')) {
        pass_hidden(one);
      } else {
        look_at(one, folder, photographs);
      }
    }
  }

  static bool holds(const std::vector<fs::directory_entry>& items, const char* name) {
    return std::ranges::any_of(items,
                               [&](const auto& item) { return item.path().filename() == name; });
  }

  // The names, without their endings, of what phones make that take a second of film with each.
  static std::set<fs::path> photographs_of(const std::vector<fs::directory_entry>& items) {
    constexpr std::array<std::string_view, 4> kEndings = {".heic", ".heif", ".jpg", ".jpeg"};
    std::set<fs::path> names;
    for (const fs::directory_entry& item : items) {
      const fs::path name = item.path().filename();
      if (std::ranges::count(kEndings, small_letters(name.extension().string())) > 0) {
        names.insert(name.stem());
      }
    }
    return names;
  }

  // False where they cannot be read: then nobody knows what is wanted of the folder.
  bool add_rules(Folder& folder) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
    const fs::path file = folder.path / kIgnoreFile;
    try {
      std::string below = below_root(folder.path) + "/";
      if (below == "./") below.clear();
      folder.rules = std::make_shared<const FolderRules>(FolderRules{
          folder.rules, ignore_rules(read_file(file, kMostBytes), below), file.string()});
      return true;
    } catch (const InputError& error) {
      leave_out(folder.path, error.what());
      return false;
    }
  }

  Verdict verdict(const std::string& path, bool is_folder, const FolderRules* rules) const {
    if (const IgnoreRule* rule = deciding(exclude_, path, is_folder)) return {rule, "--exclude"};
    for (; rules != nullptr; rules = rules->above.get()) {
      if (const IgnoreRule* rule = deciding(rules->rules, path, is_folder)) {
        return {rule, rules->file};
      }
    }
    return {deciding(usual_rules(), path, is_folder), "usual"};
  }

  bool is_read(FileKind kind) const {
    return kind == FileKind::picture || (films_ && kind == FileKind::film);
  }

  void look_at(const fs::directory_entry& item, const Folder& folder,
               const std::set<fs::path>& photographs) {
    // Three seconds; a film that someone laid a picture of the same name beside is longer.
    constexpr off_t kLargestMotion = off_t{24} << 20U;
    const fs::path& path = item.path();
    const FileKind kind = kind_of_file(path.filename());
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      const bool leads_nowhere = errno == ENOENT || errno == ELOOP;
      if (is_read(kind) || !leads_nowhere) leave_out(path, std::strerror(errno), leads_nowhere);
      return;
    }
    const bool is_folder = S_ISDIR(status.st_mode);
    if (!is_folder && !S_ISREG(status.st_mode)) return;
    if (!is_folder && !is_read(kind)) return tree_.not_read.count(kind);
    std::string below = below_root(path);
    const Verdict judged = verdict(below, is_folder, folder.rules.get());
    if (judged.leaves_out()) return ignore(path, is_folder, judged.by, judged.rule->text);
    if (kind == FileKind::film && !is_folder && status.st_size <= kLargestMotion &&
        photographs.contains(path.stem())) {
      return ignore(path, false, "motion", "");
    }
    std::error_code error;
    if (is_folder) {
      Folder next{path, folder.rules, judged.wants()};
      if (item.is_symlink(error)) {
        links_.push_back(std::move(next));
      } else {
        visit(std::move(next));
      }
      return;
    }
    tree_.pictures.push_back({std::move(below),
                              static_cast<std::uint64_t>(status.st_size),
                              {status.st_mtim.tv_sec, status.st_mtim.tv_nsec},
                              {status.st_ctim.tv_sec, status.st_ctim.tv_nsec},
                              {}});
  }

  void pass_hidden(const fs::directory_entry& item) {
    std::error_code error;
    const bool is_folder = item.is_directory(error);
    if (is_folder || is_read(kind_of_file(item.path().filename())))
      ignore(item.path(), is_folder, "hidden", "");
  }

  void ignore(const fs::path& path, bool is_folder, const std::string& by,
              const std::string& rule) {
    PictureTree::Ignored& ignored = ignored_[{by, rule}];
    if (ignored.example.empty()) ignored = {by, rule, 0, 0, path.string()};
    ++(is_folder ? ignored.folders : ignored.files);
  }

  void leave_out(const fs::path& path, std::string why, bool leads_nowhere = false) {
    tree_.left_out.push_back({path.string(), std::move(why), leads_nowhere});
  }

  const VisitFolder& on_folder_;
  bool films_;
  std::vector<IgnoreRule> exclude_;
  PictureTree tree_;
  std::deque<Folder> folders_;  // still to be read
  std::deque<Folder> links_;    // likewise, when there is no other
  std::set<std::pair<dev_t, ino_t>> visited_;
  std::map<std::pair<std::string, std::string>, PictureTree::Ignored> ignored_;
};

}  // namespace

Unseen::Unseen(const PictureTree& tree) {
  for (const PictureTree::LeftOut& one : tree.left_out) {
    if (one.leads_nowhere) continue;
    paths_.insert(fs::path(one.path).lexically_relative(tree.root).string());
  }
}

bool Unseen::holds(const std::string& file) const {
  if (paths_.empty()) return false;
  if (paths_.contains(".") || paths_.contains(file)) return true;
  for (std::size_t slash = file.find('/'); slash != std::string::npos;
       slash = file.find('/', slash + 1)) {
    if (paths_.contains(file.substr(0, slash))) return true;
  }
  return false;
}

PictureTree find_pictures(const fs::path& root, const VisitFolder& visit,
                          const std::vector<std::string>& exclude, bool films) {
  return Walk(root, visit, exclude, films).result();
}

bool is_picture_name(const fs::path& name) {
  const FileKind kind = kind_of_file(name.filename());
  return kind == FileKind::picture || kind == FileKind::film;
}

bool says_what_to_ignore(const fs::path& name) {
  return name.filename() == kIgnoreFile || name.filename() == kNoMedia;
}

}  // namespace hinny

// The picture files below a folder, and the films.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "index/tree/file_kinds.h"

namespace hinny {

// A moment since 1970 in UTC; whole seconds are rounded down, so that files of any year have one.
struct FileTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  auto operator<=>(const FileTime&) const = default;
};

struct TreePicture {       // or a film (is_film)
  std::string file;        // below the root, '/' between its parts: any bytes
  std::uint64_t size = 0;  // bytes
  FileTime modified{};
  FileTime touched{};              // when it was last modified, renamed or given another time
  std::vector<std::string> raw{};  // names of raw files beside it (raw_pairs.h)
};

struct PictureTree {
  std::filesystem::path root;  // as given, without symbolic links and relative parts
  std::chrono::system_clock::time_point listed{};  // before any of it was looked at
  std::vector<TreePicture> pictures;               // by name
  struct LeftOut {
    std::string path;
    std::string why;
    bool leads_nowhere = false;  // a link: nothing is there, and not only now
  };
  // What cannot be looked at: folders that cannot be read, files on a disk that fails, links that
  // lead nowhere.
  std::vector<LeftOut> left_out;
  // What a rule leaves out: folders with all that is in them, and pictures.
  struct Ignored {
    // "usual", "hidden", "motion", ".nomedia", "--exclude", or the path of a .hinnyignore
    std::string by;
    std::string rule;  // of it, as it was written; may be empty
    std::size_t folders = 0, files = 0;
    std::string example;  // the first of them
  };
  std::vector<Ignored> ignored;
  FilesNotRead not_read;
};

// What may be there although it was not found, as it lies where the tree could not be looked at.
class Unseen {
 public:
  explicit Unseen(const PictureTree& tree);
  bool holds(const std::string& file) const;  // below the root

 private:
  std::set<std::string> paths_;  // below the root, which is "."
};

// Called with each folder, the root among them, before it is read.
using VisitFolder = std::function<void(const std::filesystem::path& folder)>;

// JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF and raw files, and with `films` those, by their
// names' endings, in all folders below `root`; a raw one beside the camera's JPEG belongs to that.
// Symbolic links are followed, each folder once, so that circles end; a folder below the root has
// its own name, whatever links lead to it. Left out are
// - names that begin with a dot,
// - what the patterns `exclude` say (ignore_rules.h), seen from the root,
// - what .hinnyignore files in the folders say,
// - folders below the root that hold a .nomedia file, and what programs leave in folders of
//   pictures (usual_rules),
// - short films beside a photograph of their name, which are that photograph in motion,
// and of these the first that is about a path decides. Throws InputError when the root is no folder
// that can be read.
PictureTree find_pictures(const std::filesystem::path& root, const VisitFolder& visit = {},
                          const std::vector<std::string>& exclude = {}, bool films = false);

// Whether a file of this name is taken for a picture or a film that is read.
bool is_picture_name(const std::filesystem::path& name);
// Whether it says what is left out of its folder.
bool says_what_to_ignore(const std::filesystem::path& name);

}  // namespace hinny

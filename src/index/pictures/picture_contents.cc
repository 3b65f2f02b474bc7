#include "index/pictures/picture_contents.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "index/tree/file_kinds.h"
#include "index/tree/film_frames.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kReadBetweenLooks = 1024;  // files between two looks at Ctrl-C
constexpr std::int64_t kSteps = 2;               // seconds in which two changes may have one time

std::string content_of(const fs::path& file) {
  return is_film(file) ? film_content(file) : content_hash(file);
}

void read_content(const fs::path& root, PictureRecord& file, const PictureReader& reader) {
  try {
    const fs::path path = root / file.file;
    if (file.content.empty()) file.content = content_of(path);
    PictureFacts facts = is_film(path) ? reader.facts_of_film(path) : reader.facts_of(path);
    if (!facts.taken) facts.taken = file.facts.taken;
    file.facts = std::move(facts);
  } catch (const InputError& error) {
    file.broken = error.what();
  }
}

}  // namespace

bool holds(const fs::path& file, const std::string& content) {
  try {
    return content_of(file) == content;
  } catch (const InputError&) {
    return false;
  }
}

bool still_holds(const PictureTree& tree, const fs::path& file, const std::string& content) {
  const std::string name = file.lexically_relative(tree.root).string();
  const auto one = std::ranges::lower_bound(tree.pictures, name, {}, &TreePicture::file);
  struct stat status {};
  if (one == tree.pictures.end() || one->file != name || ::stat(file.c_str(), &status) != 0) {
    return holds(file, content);
  }
  const bool untouched =
      static_cast<std::uint64_t>(status.st_size) == one->size &&
      FileTime{status.st_mtim.tv_sec, status.st_mtim.tv_nsec} == one->modified &&
      FileTime{status.st_ctim.tv_sec, status.st_ctim.tv_nsec} == one->touched &&
      std::chrono::system_clock::from_time_t(one->touched.seconds + kSteps) < tree.listed;
  return untouched || holds(file, content);
}

void read_contents(const fs::path& root, std::span<PictureRecord* const> files,
                   const PictureReader& reader, Progress& progress) {
  for (std::size_t first = 0; first < files.size(); first += kReadBetweenLooks) {
    stop_if_interrupted();
    const auto some = files.subspan(first, std::min(kReadBetweenLooks, files.size() - first));
    parallel_blocks(some.size(), [&](std::size_t begin, std::size_t end) {
      for (PictureRecord* file : some.subspan(begin, end - begin)) {
        read_content(root, *file, reader);
      }
    });
    progress.add(some.size());
  }
}

bool may_say_more(const PictureRecord& file) {
  const PictureFacts& facts = file.facts;
  const bool may_move = !is_film(file.file) && may_have_frames(file.file) && !facts.moves;
  return may_move || !facts.taken || facts.taken->from != TakenFrom::exif || facts.camera.empty() ||
         facts.width == 0;
}

}  // namespace hinny

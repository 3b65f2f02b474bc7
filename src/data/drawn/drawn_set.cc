#include "data/drawn/drawn_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/read_file.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/drawn/grammar.h"
#include "data/drawn/painter.h"
#include "data/drawn/plan.h"

namespace hinny::drawn {
namespace {
namespace fs = std::filesystem;

// Raised whenever the same seed would give other pictures or captions, so that an older set is
// not taken for a current one.
constexpr int kGeneration = 1;
constexpr std::size_t kBlock = 64;  // pictures drawn between two looks at Ctrl-C
enum Stream : std::uint64_t { kSceneStream = 1, kCaptionStream };

std::string label(const SetOptions& options) {
  return fmt::format("{{\"format\":1,\"generation\":{},\"images\":{},\"seed\":{}}}\n", kGeneration,
                     options.images, options.seed);
}

std::string picture_id(int index) { return fmt::format("drawn-{:06}", index); }
std::string picture_file(int index) { return picture_id(index) + ".png"; }

// Everything that may stand in a drawn set: a folder with more in it is not ours to replace.
bool is_drawn_set(const fs::path& folder) {
  constexpr std::array<std::string_view, 5> kOurs = {"drawn.json", "images.jsonl", "captions.jsonl",
                                                     "images", "features"};
  if (!fs::is_regular_file(folder / "drawn.json")) return false;
  return std::ranges::all_of(entries_in(folder), [&](const fs::directory_entry& entry) {
    return std::ranges::find(kOurs, entry.path().filename().string()) != kOurs.end();
  });
}

Outcome look_at(const fs::path& folder, const SetOptions& options) {
  std::error_code none;
  if (!fs::exists(folder, none)) return Outcome::drawn;
  if (!fs::is_directory(folder)) throw InputError(folder, "is a file", "a folder to make");
  if (fs::equivalent(folder, fs::current_path(none), none)) {
    throw InputError(folder, "is the current folder, which cannot be replaced", "another folder");
  }
  if (fs::is_empty(folder)) return Outcome::drawn;
  if (!is_drawn_set(folder)) {
    throw InputError(folder, "already holds something else, and is not overwritten",
                     "a new or empty folder, or one made by hinny draw");
  }
  const bool whole = fs::is_regular_file(folder / "images.jsonl") &&
                     fs::is_regular_file(folder / "captions.jsonl") &&
                     fs::is_directory(folder / "images");
  const bool same = whole && read_file(folder / "drawn.json") == label(options);
  return same ? Outcome::already_there : Outcome::drawn;
}

// Not an AtomicFile: the whole folder appears at once, and syncing every picture takes minutes.
void write_picture(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Failure::from_errno("cannot write " + path.string());
}

void draw_pictures(const fs::path& folder, const SetOptions& options) {
  create_folder(folder);
  Progress progress("draw pictures", static_cast<std::uint64_t>(options.images));
  const auto total = static_cast<std::size_t>(options.images);
  for (std::size_t start = 0; start < total; start += kBlock) {
    stop_if_interrupted();
    const std::size_t size = std::min(kBlock, total - start);
    parallel_blocks(size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const int index = static_cast<int>(start + i);
        write_picture(folder / picture_file(index), paint_png(set_scene(options, index)));
      }
    });
    progress.add(size);
  }
}

void write_captions(DatasetWriter& writer, const SetOptions& options) {
  Progress progress("write captions", static_cast<std::uint64_t>(options.images));
  for (int index = 0; index < options.images; ++index) {
    stop_if_interrupted();
    const std::string id = picture_id(index);
    writer.image({id, std::string(split_of(index, options.images)), picture_file(index)});
    const Scene scene = set_scene(options, index);
    for (std::size_t language = 0; language < languages().size(); ++language) {
      for (const std::string& text : set_captions(options, index, scene, language)) {
        writer.caption(id, std::string(languages()[language].code), text, Source::human_original);
      }
    }
    progress.add();
  }
}

}  // namespace

Scene set_scene(const SetOptions& options, int index) {
  Random random(mix_seed({options.seed, kSceneStream, static_cast<std::uint64_t>(index)}));
  return sample_scene(random);
}

std::vector<std::string> set_captions(const SetOptions& options, int index, const Scene& scene,
                                      std::size_t language) {
  Random random(
      mix_seed({options.seed, kCaptionStream, static_cast<std::uint64_t>(index), language}));
  std::vector<std::string> captions;
  while (captions.size() < kCaptionsPerLanguage) {  // two plans may give one sentence: plan anew
    captions.clear();
    for (const Plan& plan : plan_captions(scene, kCaptionsPerLanguage, random)) {
      std::string text = languages()[language].write(plan);
      if (std::ranges::find(captions, text) == captions.end()) captions.push_back(std::move(text));
    }
  }
  return captions;
}

std::string_view split_of(int index, int images) {
  const bool full = images >= 600;
  const int test = full ? 200 : images / 5;
  const int val = full ? 100 : images / 10;
  if (index >= images - test) return "test";
  return index >= images - test - val ? "val" : "train";
}

Outcome draw_set(const fs::path& folder, const SetOptions& options) {
  if (look_at(folder, options) == Outcome::already_there) return Outcome::already_there;
  AtomicFolder target(folder);
  draw_pictures(target.path() / "images", options);
  DatasetWriter writer(target.path());
  write_captions(writer, options);
  writer.commit();
  write_file(target.path() / "drawn.json", label(options));
  target.commit();
  return Outcome::drawn;
}

}  // namespace hinny::drawn

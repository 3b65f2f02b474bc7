#include "index/asking/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>

#include "base/coordinates.h"
#include "base/day.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/request_error.h"
#include "base/threads.h"
#include "index/folder/index.h"
#include "text/characters.h"
#include "text/name_forms.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kWorthThreads = 1 << 14;  // images

// Leaves the images of the mask for which `keeps(image)` is true.
template <typename Keeps>
void keep_if(RowMask& mask, const Keeps& keeps) {
  if (mask.rows() < kWorthThreads) return mask.keep_if(0, mask.rows(), keeps);
  const std::size_t words = (mask.rows() + RowMask::kWordRows - 1) / RowMask::kWordRows;
  parallel_blocks(words, [&](std::size_t begin, std::size_t end) {
    mask.keep_if(begin * RowMask::kWordRows, std::min(end * RowMask::kWordRows, mask.rows()),
                 keeps);
  });
}

// Whether composed(text) starts with `start`, which is composed. Few texts need to be composed for
// that: where they part at an ASCII letter of both, no form makes them alike.
bool composed_starts_with(std::string_view text, std::string_view start) {
  const auto [at, wanted] = std::ranges::mismatch(text, start);
  if (wanted == start.end()) return true;
  if (at != text.end() && is_ascii({&*at, 1}) && is_ascii({&*wanted, 1})) return false;
  return composed(text).starts_with(start);
}

// Which pictures lie below a folder, by the names of their files as the index has them: below the
// folder that holds them all.
class Below {
 public:
  // `folder` is absolute and normal.
  Below(const Index& index, const std::string& folder)
      : files_(index.contents().files), above_(with_slash(index.contents().pictures.string())) {
    set(folder);
  }

  void set(const std::string& folder) { set(with_slash(folder), above_); }
  // In whatever letters.
  void forgive(const std::string& asked) {
    forgives_ = true;
    const std::string folder = with_slash(asked);
    if (folder.starts_with(above_)) {
      set(above_ + composed(std::string_view(folder).substr(above_.size())), above_);
    } else {
      set(composed(folder), composed(above_));
    }
  }
  bool operator()(std::size_t image) const {
    const std::string_view file = files_[image];
    if (file.empty() || !reachable_) return false;
    return forgives_ ? composed_starts_with(file, start_) : file.starts_with(start_);
  }

 private:
  void set(const std::string& folder, const std::string& above) {
    reachable_ = folder.starts_with(above) || above.starts_with(folder);
    start_ = folder.size() <= above.size() ? "" : folder.substr(above.size());
  }
  static std::string with_slash(std::string folder) {
    if (!folder.ends_with('/')) folder += '/';
    return folder;
  }

  const NameList& files_;
  std::string above_;
  bool reachable_ = false;  // the folder lies above all files, or among them
  std::string start_;       // of the names of files below it; "": all are
  bool forgives_ = false;
};

// Exactly that folder where the index has it; else as links lead to it; else in other letters.
RowMask below(const Index& index, const std::string& asked) {
  const fs::path folder = (index.root() / path_from_text(asked)).lexically_normal();
  Below is_below(index, folder.string());
  const auto images = [&] {
    RowMask mask(index.size(), true);
    keep_if(mask, is_below);
    return mask;
  };
  RowMask found = images();
  if (!found.none()) return found;
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (!error && real != folder) {
    is_below.set(real.string());
    found = images();
    if (!found.none()) return found;
  }
  is_below.forgive(folder.string());
  return images();
}

// In one case, accents as they are.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  const std::string folded = folded_case(text);
  std::size_t begin = 0;
  while ((begin = folded.find_first_not_of(' ', begin)) != std::string::npos) {
    const std::size_t end = std::min(folded.find(' ', begin), folded.size());
    words.push_back(folded.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

// For each of these names whether it has all words that are asked for.
std::vector<bool> named(const ImageNames& devices, std::string_view asked) {
  const std::vector<std::string> wanted = words_in(asked);
  std::vector<bool> fits;
  for (const std::string& name : devices.names) {
    const std::string folded = folded_case(name);
    fits.push_back(!name.empty() && std::ranges::all_of(wanted, [&](const std::string& word) {
      return folded.find(word) != std::string::npos;
    }));
  }
  return fits;
}

void keep_devices(const ImageNames& devices, const std::string& asked, RowMask& images) {
  if (asked.empty()) return;
  const std::vector<bool> fits = named(devices, asked);
  keep_if(images, [&](std::size_t i) { return fits[devices.of[i]]; });
}

void keep_near(const FolderFacts& facts, const Filter::Near& near, RowMask& images) {
  const auto& places = facts.places;
  keep_if(images, [&](std::size_t i) {
    return places[i] && distance(*places[i], near.place) <= near.within;
  });
}

void keep_town(const FolderFacts& facts, const std::string& asked, RowMask& images) {
  const std::span<const std::uint32_t> wanted = facts.town_index.called(asked);
  std::vector<bool> fits(facts.towns.names.size());
  for (const std::uint32_t town : wanted) fits[town] = true;
  keep_if(images, [&](std::size_t i) { return fits[facts.towns.of[i]]; });
}

void keep_sizes(const FolderFacts& facts, const Filter& filter, RowMask& images) {
  if (!filter.by_size()) return;
  keep_if(images, [&](std::size_t i) {
    const FolderFacts::Size& size = facts.sizes[i];
    return (filter.shape == Shape::any || shape_of(size) == filter.shape) &&
           (!filter.min_size || at_least(size, *filter.min_size)) &&
           (!filter.max_size || at_most(size, *filter.max_size));
  });
}

// "" where some picture is of that size.
std::string why_no_size(const Index& index, const Filter& filter) {
  const Filter size{
      .shape = filter.shape, .min_size = filter.min_size, .max_size = filter.max_size};
  if (!size.by_size() || !matching(index, size).none()) return "";
  const auto& sizes = index.folder_facts().sizes;
  const auto known = std::ranges::count_if(sizes, is_known);
  const std::string_view shape = kShapes[static_cast<std::size_t>(filter.shape)];
  return fmt::format("no {}{}picture{}{} ({} of {} say how large they are)",
                     filter.shape == Shape::any ? "" : shape, filter.shape == Shape::any ? "" : " ",
                     filter.min_size ? " of at least " + size_bound_text(*filter.min_size) : "",
                     filter.max_size ? " of at most " + size_bound_text(*filter.max_size) : "",
                     known, index.size());
}

// Names that the index has, for messages.
std::string some_names(const ImageNames& devices) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names(devices.names.begin() + 1, devices.names.end());
  if (names.empty()) return "the index knows none";
  std::ranges::sort(names);
  const std::size_t more = names.size() > kMost ? names.size() - kMost : 0;
  names.resize(names.size() - more);
  return fmt::format("the index has {}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// "until" names a period's end, which people do not write.
std::string period_text(const Filter& filter) {
  if (!filter.until) return fmt::format("since {}", time_text(*filter.since));
  const std::string until = time_text(*filter.until);
  if (!filter.since) return fmt::format("before {}", until);
  return fmt::format("from {} up to {}", time_text(*filter.since), until);
}

}  // namespace

const FolderFacts& known_facts(const Index& index) {
  if (index.folder_facts().known()) return index.folder_facts();
  throw RequestError("this index does not know when its pictures were taken",
                     "one of a folder of pictures (hinny index --pictures)");
}

RowMask matching(const Index& index, const Filter& filter) {
  const std::vector<std::int64_t>* times = nullptr;
  if (filter.since || filter.until) times = &known_facts(index).times;
  RowMask images =
      filter.folder.empty() ? RowMask(index.size(), true) : below(index, filter.folder);
  if (times != nullptr) {
    constexpr auto kEver = std::numeric_limits<std::int64_t>::max();
    const std::int64_t since = filter.since.value_or(-kEver - 1);
    const std::int64_t until = filter.until.value_or(kEver);
    const bool ends = filter.until.has_value();
    keep_if(images, [at = times->data(), since, until, ends](std::size_t i) {
      return at[i] >= since && !(ends && at[i] >= until);
    });
  }
  if (filter.kind != Filter::Kind::any) {
    const Index::Films& films = index.films();
    const bool wanted = filter.kind == Filter::Kind::film;
    keep_if(images,
            [&](std::size_t i) { return (films.of_image(i) != Index::Films::kNone) == wanted; });
  }
  if (!filter.by_shot()) return images;
  const FolderFacts& facts = known_facts(index);
  if (filter.near) keep_near(facts, *filter.near, images);
  if (!filter.town.empty()) keep_town(facts, filter.town, images);
  keep_devices(facts.cameras, filter.camera, images);
  keep_devices(facts.lenses, filter.lens, images);
  keep_sizes(facts, filter, images);
  return images;
}

std::string why_nothing(const Index& index, const Filter& filter) {
  if (!filter.any() || !matching(index, filter).none()) return "";
  const FolderFacts& facts = index.folder_facts();
  if (!filter.folder.empty() && matching(index, {.folder = filter.folder}).none()) {
    constexpr std::size_t kLongest = 4096;  // comparing takes the product of the lengths
    const std::string asked = filter.folder.substr(0, kLongest);
    return fmt::format("no folder '{}' in the index{}", asked,
                       did_you_mean(asked, index.folders()));
  }
  if (filter.kind != Filter::Kind::any && matching(index, {.kind = filter.kind}).none()) {
    return filter.kind == Filter::Kind::film ? "no film in the index"
                                             : "no picture in the index, only films";
  }
  if (!filter.camera.empty() && matching(index, {.camera = filter.camera}).none()) {
    return fmt::format("no picture by a camera '{}' ({})", filter.camera,
                       some_names(facts.cameras));
  }
  if (!filter.lens.empty() && matching(index, {.lens = filter.lens}).none()) {
    return fmt::format("no picture by a lens '{}' ({})", filter.lens, some_names(facts.lenses));
  }
  if (!filter.town.empty() && matching(index, {.town = filter.town}).none()) {
    return fmt::format("no picture of a town '{}' ({})", filter.town, some_names(facts.towns));
  }
  if (const std::string why = why_no_size(index, filter); !why.empty()) return why;
  if (filter.near && matching(index, {.near = filter.near}).none()) {
    const auto located =
        std::ranges::count_if(facts.places, &std::optional<Coordinates>::has_value);
    return fmt::format("no picture within {} km of {} ({} of {} say where they were taken)",
                       filter.near->within, coordinates_text(filter.near->place), located,
                       index.size());
  }
  if (!filter.since && !filter.until) return "no picture is all of that";
  const auto [oldest, newest] = std::ranges::minmax_element(facts.times);
  return fmt::format("no picture {}was taken {} (the index's are from {} to {})",
                     filter.folder.empty() ? "" : "of that folder ", period_text(filter),
                     time_text(*oldest).substr(0, 10), time_text(*newest).substr(0, 10));
}

}  // namespace hinny

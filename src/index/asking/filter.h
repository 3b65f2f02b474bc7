// Which pictures of an index a question is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/asking/shown_size.h"
#include "index/vectors/row_mask.h"
#include "vision/picture_facts.h"

namespace hinny {

class Index;

struct Filter {
  // When they were taken: seconds of local time (base/day.h), from `since` up to, but
  // without, `until`.
  std::optional<std::int64_t> since{}, until{};
  // Below this folder, or the one that has this text (base/path_text.h): absolute, or seen from the
  // one that holds all pictures; empty: anywhere.
  std::string folder{};
  // Taken at most so many kilometres from there.
  struct Near {
    Coordinates place;
    double within = 0;
  };
  std::optional<Near> near{};
  // Words that the camera's, or the lens's, name has, in capitals or not; empty: any.
  std::string camera{}, lens{};
  // A town's name in any language (folder_facts.h), in capitals or not; empty: any.
  std::string town{};

  // Which way it lies, and how large it is.
  Shape shape = Shape::any;
  std::optional<SizeBound> min_size{}, max_size{};

  enum class Kind { any, picture, film } kind = Kind::any;

  bool by_size() const { return shape != Shape::any || min_size || max_size; }
  bool by_shot() const {
    return near || !camera.empty() || !lens.empty() || !town.empty() || by_size();
  }
  bool any() const { return since || until || !folder.empty() || by_shot() || kind != Kind::any; }
};

// What an index of a folder of pictures knows of them; of another one throws RequestError.
const FolderFacts& known_facts(const Index& index);

// The images of the index that it is about. A folder is found in composed and in decomposed
// letters, as it is asked for first, and by a link that leads to it. Throws RequestError for times,
// places and cameras where the index was not made from a folder of pictures.
RowMask matching(const Index& index, const Filter& filter);

// Why a filter leaves no picture of the index: the folder is not there, or nothing is of that time,
// from there or that town, by such a camera, of such a size, or of that kind.
// "" where it leaves some.
std::string why_nothing(const Index& index, const Filter& filter);

}  // namespace hinny

// An index of the pictures and films below a folder, made and brought up to date.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/part.h"
#include "index/bundle/bundle.h"
#include "index/folder/write_index.h"
#include "index/pictures/picture_report.h"
#include "index/tree/picture_tree.h"
#include "vision/picture_reader.h"

namespace hinny {

// There is no picture, or none that can be read.
class NoPictures : public InputError {
 public:
  using InputError::InputError;
};

constexpr int kUsualFilmFrames = 30;

struct PicturesInput {
  std::filesystem::path pictures;  // folder
  WeightType weights = WeightType::int8;
  // `none` takes away the graph of an index that is there, too, which else goes on as it was made.
  Graphs graphs = Graphs::where_worth;
  // Bits of a number in what a scan reads; nullopt: as an index that is there has them, or else
  // codes_for the files below the folder.
  std::optional<int> codes{};
  // Only this part of the files by their names, which may be none (merge_index.h); it has no graph.
  // What lies in a folder that cannot be read just now is then left out.
  std::optional<Part> part{};
  // What is left out (find_pictures); nullopt: what was given when the index was last made.
  std::optional<std::vector<std::string>> exclude{};
  // So many frames of each film at most, 0: no films; nullopt: as when the index was last made, or
  // else kUsualFilmFrames.
  std::optional<int> film_frames{};
  // Names the places where pictures were taken (town_names.h); nullopt: what did so when the index
  // was last made; "": nothing.
  std::optional<std::filesystem::path> towns{};
  // A new index can be searched before it is whole. How long it is left as it is: at least so long,
  // and so many times as long as it took to write.
  struct GrowingPause {
    std::chrono::milliseconds least{10'000};
    int times_writing = 10;
  };
  GrowingPause growing_pause{};
};

// Makes `folder` the index of the pictures below a folder, or brings it up to date: what has the
// same size and time is not read, what has the same content is not encoded again, wherever it lies
// now. Films that the reader cannot read (PictureReader::reads_films) are counted, but for those
// that the index has and that did not change. What lies in a folder that cannot be read just now
// stays; of a folder that is gone or empty, the vectors do, for a while. Stopped (Interrupted), it
// leaves FOLDER.part, and the next call goes on with that; the index itself is replaced as a whole
// at the end. Where there was none, versions with fewer pictures come before it (growing.h). Throws
// NoPictures when there is none. Shows progress. `visit`: as find_pictures.
PictureReport index_pictures(const PictureModel& model, const PicturesInput& input,
                             const PictureReader& reader, const std::filesystem::path& folder,
                             const VisitFolder& visit = {});

}  // namespace hinny

// An index of the pictures below a folder, made and brought up to date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/part.h"
#include "index/bundle/bundle.h"
#include "index/folder/write_index.h"
#include "index/tree/picture_tree.h"
#include "vision/picture_time.h"

namespace hinny {

// Makes files into features, all that a model reads of a picture side by side; `take` gets each
// file's in order, or none. `note`: why it could not be read; or, with features, what of the
// picture is missing.
using TakeEncoded =
    std::function<void(std::size_t i, std::span<const float> features, const std::string& note)>;
struct PictureReader {
  std::function<void(std::span<const std::filesystem::path> files, const TakeEncoded& take)> encode;
  // When a picture was taken (vision/picture_time.h); may be empty. Called by several threads.
  std::function<std::optional<Taken>(const std::filesystem::path& file)> taken_at{};
  // Of all that reads: what an earlier one could not read, or not date by EXIF, is tried again by
  // another, once.
  std::string version{};
};

struct PictureReport {
  std::size_t added = 0;     // files that were not there, of new content
  std::size_t changed = 0;   // of other content than before
  std::size_t moved = 0;     // of a content that stood elsewhere, where it is no more
  std::size_t returned = 0;  // whose folder was away (away.h)
  std::size_t copies = 0;    // of a content that another file has as well
  std::size_t removed = 0;   // files that are gone
  std::size_t kept = 0;      // as they were
  std::size_t encoded = 0;   // pictures that went through the networks, in this run
  std::size_t images = 0;    // of the index now
  std::size_t away = 0;      // no images, but their vectors are kept: their folder is away
  std::vector<PictureTree::LeftOut> broken;      // files that hold no picture that can be read
  std::vector<PictureTree::LeftOut> incomplete;  // encoded now, though a part is missing: which
  std::vector<PictureTree::LeftOut> left_out;    // find_pictures
  std::vector<PictureTree::Ignored> ignored;
  FilesNotRead not_read;
};

// There is no picture, or none that can be read.
class NoPictures : public InputError {
 public:
  using InputError::InputError;
};

struct PicturesInput {
  std::filesystem::path pictures;  // folder
  WeightType weights = WeightType::int8;
  Graphs graphs = Graphs::where_worth;  // of a new index; one that is there goes on as it was made
  // Only this part of the files by their names, which may be none (merge_index.h); it has no graph.
  // What lies in a folder that cannot be read just now is then left out.
  std::optional<Part> part{};
  // What is left out (find_pictures); nullopt: what was given when the index was last made.
  std::optional<std::vector<std::string>> exclude{};
};

// Makes `folder` the index of the pictures below a folder, or brings it up to date: what has the
// same size and time is not read, what has the same content is not encoded again, wherever it lies
// now. What lies in a folder that cannot be read just now stays; of a folder that is gone or empty,
// the vectors do, for a while. Stopped (Interrupted), it leaves
// FOLDER.part, and the next call goes on with that; the index itself is replaced as a whole at the
// end. Throws NoPictures when there is none. Shows progress. `visit`: as find_pictures.
PictureReport index_pictures(const PictureModel& model, const PicturesInput& input,
                             const PictureReader& reader, const std::filesystem::path& folder,
                             const VisitFolder& visit = {});

}  // namespace hinny

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
#include "index/bundle.h"
#include "index/picture_tree.h"

namespace hinny {

// Makes files into features, all that a model reads of a picture side by side; `take` gets each
// file's in order, or none and why it could not be read.
using TakeEncoded =
    std::function<void(std::size_t i, std::span<const float> features, const std::string& why)>;
struct PictureReader {
  std::function<void(std::span<const std::filesystem::path> files, const TakeEncoded& take)> encode;
  // When a picture was taken (vision/picture_time.h); may be empty. Called by several threads.
  std::function<std::optional<std::int64_t>(const std::filesystem::path& file)> taken_at{};
};

struct PictureReport {
  std::size_t added = 0;    // files that were not there, of new content
  std::size_t changed = 0;  // of other content than before
  std::size_t moved = 0;    // of a content that stood elsewhere, where it is no more
  std::size_t copies = 0;   // of a content that another file has as well
  std::size_t removed = 0;  // files that are gone
  std::size_t kept = 0;     // as they were
  std::size_t encoded = 0;  // pictures that went through the networks, in this run
  std::size_t images = 0;   // of the index now
  std::vector<PictureTree::LeftOut> broken;    // files that hold no picture that can be read
  std::vector<PictureTree::LeftOut> left_out;  // find_pictures
  std::size_t other_formats = 0;
};

// There is no picture, or none that can be read.
class NoPictures : public InputError {
 public:
  using InputError::InputError;
};

// Makes `folder` the index of the pictures below `pictures`, or brings it up to date: what has the
// same size and time is not read, what has the same content is not encoded again, wherever it lies
// now. What lies in a folder that cannot be read just now stays. Stopped (Interrupted), it leaves
// FOLDER.part, and the next call goes on with that; the index itself is replaced as a whole at the
// end. Throws NoPictures when there is none. Shows progress. `visit`: as find_pictures.
PictureReport index_pictures(const PictureModel& model, const std::filesystem::path& pictures,
                             WeightType weights, const PictureReader& reader,
                             const std::filesystem::path& folder, const VisitFolder& visit = {});

}  // namespace hinny

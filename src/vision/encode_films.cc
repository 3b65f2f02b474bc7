#include "vision/encode_films.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "vision/frames.h"
#include "vision/prepared_picture.h"

namespace hinny {
namespace {

constexpr std::size_t kFramesAtOnce = 256;
constexpr std::size_t kFramesThroughNetworks = 32;

struct PreparedFilm {
  std::vector<std::int64_t> at;
  std::vector<PreparedPicture> frames;
  std::string why_not;
};

PreparedFilm prepared_film(const std::filesystem::path& film, int most,
                           std::span<PictureEncoder* const> encoders) {
  PreparedFilm prepared;
  try {
    read_frames(film, most, least_side(encoders), [&](std::int64_t at, const Picture& frame) {
      prepared.at.push_back(at);
      prepared.frames.push_back(prepared_for(encoders, frame));
    });
  } catch (const InputError& error) {
    return {{}, {}, error.what()};
  }
  return prepared;
}

std::vector<float> encoded_frames(std::span<PictureEncoder* const> encoders,
                                  std::vector<PreparedPicture> frames) {
  std::vector<float> all;
  for (std::size_t first = 0; first < frames.size(); first += kFramesThroughNetworks) {
    const auto some =
        std::span(frames).subspan(first, std::min(kFramesThroughNetworks, frames.size() - first));
    const std::vector<float> rows = encode_prepared(
        encoders, {std::make_move_iterator(some.begin()), std::make_move_iterator(some.end())});
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace

void encode_films(std::span<const std::filesystem::path> films, int most,
                  std::span<PictureEncoder* const> encoders, const TakeFilm& take) {
  const std::size_t at_once =
      std::clamp(kFramesAtOnce / static_cast<std::size_t>(std::max(most, 1)), std::size_t{1},
                 static_cast<std::size_t>(thread_count()));
  for (std::size_t first = 0; first < films.size(); first += at_once) {
    const auto some = films.subspan(first, std::min(at_once, films.size() - first));
    std::vector<PreparedFilm> prepared(some.size());
    parallel_blocks(some.size(), [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin) prepared[begin] = prepared_film(some[begin], most, encoders);
    });
    stop_if_interrupted();
    for (std::size_t i = 0; i < some.size(); ++i) {
      PreparedFilm& film = prepared[i];
      take(first + i, {std::move(film.at), encoded_frames(encoders, std::move(film.frames))},
           film.why_not);
    }
  }
}

}  // namespace hinny

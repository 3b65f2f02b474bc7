#include "film/answer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/choose_frames.h"
#include "base/confine.h"
#include "base/file_calls.h"
#include "film/film.h"
#include "film/film_stream.h"
#include "film/frame_pixels.h"

namespace hinny::film {
namespace {

constexpr int kWrongWords = 2;

struct Asked {
  std::string_view what;
  std::int64_t first = 0;  // how many frames, or which moment
  int side = 0;
};

template <typename Number>
bool read_number(std::string_view text, Number most, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= most;
}

std::optional<Asked> asked_by(std::span<const std::string_view> words) {
  if (words.size() == 1 && (words[0] == kFacts || words[0] == kVersion)) return Asked{words[0]};
  if (words.size() != 3) return std::nullopt;
  Asked asked{words[0]};
  constexpr std::int64_t kYear = std::int64_t{366} * 24 * 3600 * 1000;
  const std::int64_t most = asked.what == kFrames ? kMostFrames : kYear;
  const bool good = (asked.what == kFrames || asked.what == kFrame) &&
                    read_number(words[1], most, asked.first) &&
                    read_number(words[2], kMostSide, asked.side) && asked.side > 0;
  return good ? std::optional(asked) : std::nullopt;
}

// Nobody reads any more where it fails.
void put(std::string_view bytes) {
  if (!write_all(STDOUT_FILENO, bytes)) ::_exit(1);
}

void put_fact(std::string_view key, std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\0'; });
  text.resize(std::min(text.size(), kLongestLine / 2));
  if (!text.empty()) put(fmt::format("fact {} {}\n", key, text));
}

void put_frame(const Pixels& pixels, std::int64_t at) {
  put(fmt::format("frame {} {} {}\n", at, pixels.width, pixels.height));
  put({reinterpret_cast<const char*>(pixels.rgb.data()), pixels.rgb.size()});
}

void put_facts(const Film& film) {
  for (auto& [key, text] : film.facts()) put_fact(key, std::move(text));
}

std::vector<std::int64_t> moments_to_show(Film& film, std::size_t most) {
  FramePixels pixels;
  std::vector<Glance> glances;
  std::vector<std::int64_t> at;
  const std::int64_t duration = film.duration();
  const std::vector<std::int64_t> moments = moments_of(duration, most);
  constexpr std::clock_t kTime = std::clock_t{kSecondsToChoose} * CLOCKS_PER_SEC;
  film.give_up_at(kTime);
  const std::int64_t slack = duration / (2 * static_cast<std::int64_t>(moments.size()));
  for (const std::int64_t moment : moments) {
    const auto frame = film.frame_near(moment, slack);
    if (std::clock() >= kTime) break;
    if (!frame) continue;
    if (!at.empty() && frame->at <= at.back()) continue;  // the end came sooner than was said
    glances.push_back(pixels.glance(*frame->picture));
    at.push_back(frame->at);
  }
  film.give_up_at(std::numeric_limits<std::clock_t>::max());
  if (glances.empty()) throw Unreadable("no picture in it that can be decoded");
  std::vector<std::int64_t> chosen;
  for (const std::size_t i : choose_frames(glances, most)) chosen.push_back(at[i]);
  return chosen;
}

void put_frames(Film& film, std::size_t most, int side) {
  FramePixels pixels;
  for (const std::int64_t at : moments_to_show(film, most)) {
    const auto frame = film.frame_near(at, 1);
    if (frame) put_frame(pixels.seen(film, *frame->picture, side), at);
  }
}

void put_one_frame(Film& film, std::int64_t at, int side) {
  const auto frame = film.frame_near(at, 1);
  if (!frame) throw Unreadable("no picture in it that can be decoded");
  put_frame(FramePixels().seen(film, *frame->picture, side), frame->at);
}

void read_film(const Asked& asked) {
  Film film(STDIN_FILENO);
  if (asked.what == kFacts) put_facts(film);
  if (asked.what == kFrames) {
    put_frames(film, static_cast<std::size_t>(std::max<std::int64_t>(asked.first, 1)), asked.side);
  }
  if (asked.what == kFrame) put_one_frame(film, asked.first, asked.side);
}

}  // namespace

int answer(std::span<const std::string_view> words) {
  const auto asked = asked_by(words);
  if (!asked) return kWrongWords;
  limit_process({.memory = kMostMemory,
                 .seconds = asked->what == kFrames ? kMostSeconds : kMostSecondsOfOneFrame});
  if (asked->what == kVersion) {
    put(fmt::format("fact version {}.{}\nend\n", avformat_version(), avcodec_version()));
    return 0;
  }
  confine_process();
  try {
    read_film(*asked);
    put("end\n");
    return 0;
  } catch (const Unreadable& why) {
    put(fmt::format("error {}\n", why.what()));
  } catch (const std::bad_alloc&) {
    put("error it takes more memory to read than a film may\n");
  }
  return 1;
}

}  // namespace hinny::film

#include "base/choose_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace hinny {
namespace {

// A static shot with someone walking through it differs by 0.02 to 0.05, slides by 0.04, a cut by
// 0.1 and more.
constexpr double kOtherScene = 0.04;
constexpr double kFlat = 4;  // standard deviation of what has one colour

bool is_flat(const Glance& frame) {
  const double size = static_cast<double>(frame.size());
  const double mean = std::accumulate(frame.begin(), frame.end(), 0.0) / size;
  double squares = 0;
  for (const std::uint8_t number : frame) squares += (number - mean) * (number - mean);
  return std::sqrt(squares / size) < kFlat;
}

std::vector<std::size_t> middles(std::span<const Glance> frames, std::span<const std::size_t> of,
                                 double other_scene) {
  std::vector<std::size_t> chosen;
  for (std::size_t begin = 0; begin < of.size();) {
    std::size_t end = begin + 1;
    while (end < of.size() && difference(frames[of[begin]], frames[of[end]]) < other_scene) ++end;
    chosen.push_back(of[(begin + end - 1) / 2]);
    begin = end;
  }
  return chosen;
}

}  // namespace

double difference(const Glance& a, const Glance& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(int{a[i]} - int{b[i]});
  return sum / (255.0 * static_cast<double>(a.size()));
}

std::vector<std::int64_t> moments_of(std::int64_t duration, std::size_t wanted) {
  constexpr std::int64_t kSecond = 1000;
  const auto most = static_cast<std::int64_t>(2 * wanted);
  const std::int64_t count =
      std::clamp<std::int64_t>(duration / kSecond, 1, std::max<std::int64_t>(most, 1));
  std::vector<std::int64_t> moments;
  for (std::int64_t i = 0; i < count; ++i) moments.push_back((2 * i + 1) * duration / (2 * count));
  return moments;
}

std::vector<std::size_t> choose_frames(std::span<const Glance> frames, std::size_t most) {
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!is_flat(frames[i])) of.push_back(i);
  }
  if (of.empty()) {
    of.resize(frames.size());
    std::iota(of.begin(), of.end(), std::size_t{0});
  }
  std::vector<std::size_t> chosen = middles(frames, of, kOtherScene);
  for (double other = kOtherScene; chosen.size() > most && other < 1;) {
    other *= 1.1;
    chosen = middles(frames, of, other);
  }
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

}  // namespace hinny

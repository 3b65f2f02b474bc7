#include "retrieval/trec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/atomic_file.h"
#include "retrieval/query_ranks.h"

namespace hinny {
namespace {

// One direction: queries, candidates, and which belong together.
struct Side {
  std::span<const std::string> queries, candidates;
  std::function<float(std::size_t query, std::size_t candidate)> score;
  std::function<bool(std::size_t query, std::size_t candidate)> right;
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLeast = std::numeric_limits<float>::lowest() / 2;  // there are others below
constexpr float kSmallest = std::numeric_limits<float>::min();      // not denormal

// As readers of any precision take it: finite, and no denormal number.
float plain(float score) {
  if (score < kLeast) return kLeast;
  if (std::abs(score) < kSmallest) return 0;
  return std::min(score, std::numeric_limits<float>::max());
}

float next_below(float score) {
  if (score == 0) return -kSmallest;
  const float below = std::nextafter(score, -kInfinity);
  return std::abs(below) < kSmallest ? 0 : below;
}

// Bytes of the character at the start of `text` that some reader takes for the end of a field, or
// does not show; 0: it is another.
std::size_t blank_at(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0), second = byte(1), third = byte(2);
  if (first <= ' ' || first == 0x7F) return 1;
  if (first == 0xC2) return second <= 0xA0 ? 2 : 0;  // U+0080 to U+00A0
  const auto in = [&](unsigned a, unsigned b, unsigned least, unsigned most) {
    return first == a && second == b && third >= least && third <= most;
  };
  const bool blank = in(0xE1, 0x9A, 0x80, 0x80) ||  // U+1680
                     in(0xE1, 0xA0, 0x8E, 0x8E) ||  // U+180E
                     in(0xE2, 0x80, 0x80, 0x8F) ||  // U+2000 to U+200F
                     in(0xE2, 0x80, 0xA8, 0xAF) ||  // U+2028 to U+202F
                     in(0xE2, 0x81, 0x9F, 0xA4) ||  // U+205F to U+2064
                     in(0xE3, 0x80, 0x80, 0x80) ||  // U+3000
                     in(0xEF, 0xBB, 0xBF, 0xBF);    // U+FEFF
  return blank ? 3 : 0;
}

std::string row_of(const Side& side, std::size_t query, const std::string& run) {
  std::vector<float> scores(side.candidates.size());
  for (std::size_t c = 0; c < scores.size(); ++c) {
    scores[c] = side.score(query, c);
    if (std::isnan(scores[c])) scores[c] = side.right(query, c) ? -kInfinity : kInfinity;
  }
  std::vector<std::size_t> best(scores.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  const auto kept = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), kTrecDepth));
  std::partial_sort(best.begin(), kept, best.end(), [&](std::size_t a, std::size_t b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    const bool a_right = side.right(query, a), b_right = side.right(query, b);
    return a_right != b_right ? b_right : a < b;
  });
  std::string lines;
  int rank = 0;
  float last = kInfinity;
  for (auto c = best.begin(); c != kept; ++c) {
    const float score = plain(scores[*c]);
    last = score < last ? score : next_below(last);
    lines += fmt::format("{} Q0 {} {} {} {}\n", side.queries[query], side.candidates[*c], ++rank,
                         last, run);
  }
  return lines;
}

void write_side(const Side& side, const std::string& run, const std::string& prefix) {
  AtomicFile rankings(prefix + ".run"), qrels(prefix + ".qrels");
  for (std::size_t q = 0; q < side.queries.size(); ++q) {
    std::string right;
    for (std::size_t c = 0; c < side.candidates.size(); ++c) {
      if (side.right(q, c))
        right += fmt::format("{} 0 {} 1\n", side.queries[q], side.candidates[c]);
    }
    if (right.empty()) continue;
    qrels.write(right);
    rankings.write(row_of(side, q, run));
  }
  rankings.commit();
  qrels.commit();
}

}  // namespace

std::string trec_name(std::string_view id) {
  std::string name;
  while (!id.empty()) {
    const std::size_t hidden = id.front() == '%' ? 1 : blank_at(id);
    if (hidden == 0) name += id.front();
    for (const char byte : id.substr(0, hidden)) {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
    id.remove_prefix(std::max<std::size_t>(hidden, 1));
  }
  return name;
}

void write_trec(const ScoreMatrix& scores, std::span<const int> image_of_caption,
                const TrecNames& names, const std::filesystem::path& prefix) {
  check_owners(image_of_caption, scores.images, scores.captions);
  const auto score = [&](std::size_t image, std::size_t caption) {
    return scores.values[image * scores.captions + caption];
  };
  const auto right = [&](std::size_t image, std::size_t caption) {
    return image_of_caption[caption] == static_cast<int>(image);
  };
  write_side({names.captions, names.images, [&](auto c, auto i) { return score(i, c); },
              [&](auto c, auto i) { return right(i, c); }},
             names.run, prefix.string() + ".t2i");
  write_side({names.images, names.captions, score, right}, names.run, prefix.string() + ".i2t");
}

}  // namespace hinny

#include "index/asking/newest.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include "base/threads.h"
#include "index/asking/filter.h"
#include "index/vectors/best_of.h"
#include "index/vectors/row_blocks.h"
#include "index/vectors/score_bounds.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kNoPlace = std::numeric_limits<std::size_t>::max();

std::size_t place_of(const NewestQuestion& question, std::size_t image) {
  const auto found = question.places.find(image);
  return found == question.places.end() ? kNoPlace : found->second;
}

struct Timed {
  std::int64_t time = 0;
  std::size_t place = kNoPlace;
  float order = 0;  // the score that ranks it
  Hit hit;          // as it is shown
};
struct Newer {
  bool operator()(const Timed& a, const Timed& b) const {
    if (a.time != b.time) return a.time > b.time;
    if (a.place != b.place) return a.place < b.place;
    return ranks_before({a.hit.image, a.order}, {b.hit.image, b.order});
  }
};
using Best = BestOf<Timed, Newer>;

class NewestPass {
 public:
  NewestPass(const Index& index, std::span<const NewestQuestion> questions, double min_score,
             std::size_t k, const RowMask* among)
      : questions_(questions),
        min_score_(min_score),
        k_(k),
        times_(known_facts(index).times),
        scan_(index.scan(questions.front().query->space)),
        table_(index.vectors(questions.front().query->space)),
        hubs_(index.contents().hubs),
        blocks_(scan_.rows, among) {
    std::vector<float> shown;
    for (const NewestQuestion& question : questions) add(*question.query, shown);
    bounds_.emplace(scan_, shown);
    order_blocks();
  }

  std::vector<std::vector<Hit>> hits() const {
    std::vector<Best> all(questions_.size(), Best(k_));
    std::mutex lock;
    const std::size_t parts = std::min(order_.size(), static_cast<std::size_t>(thread_count()));
    // Each part has every so many-th block, so that all soon know what is too old.
    parallel_blocks(parts, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin) {
        std::vector<Best> best(questions_.size(), Best(k_));
        read(begin, parts, best);
        const std::lock_guard guard(lock);
        for (std::size_t q = 0; q < all.size(); ++q) all[q].offer_all(best[q]);
      }
    });
    std::vector<std::vector<Hit>> hits(all.size());
    for (std::size_t q = 0; q < all.size(); ++q) {
      for (const Timed& timed : all[q].take()) hits[q].push_back(timed.hit);
    }
    return hits;
  }

 private:
  // With what is added for hubs, as it ranks; without, as it is shown.
  void add(const Query& query, std::vector<float>& shown) {
    std::vector<float> row = query.vector;
    if (hubs_) row.push_back(0);
    shown.insert(shown.end(), row.begin(), row.end());
    if (hubs_ && query.corrected) row.back() = 1;
    rows_.insert(rows_.end(), row.begin(), row.end());
  }

  // By the time of their newest image, the newest first.
  void order_blocks() {
    newest_.assign(blocks_.size(), std::numeric_limits<std::int64_t>::min());
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      blocks_.for_each_row(
          block, [&](std::size_t row) { newest_[block] = std::max(newest_[block], times_[row]); });
    }
    order_.resize(blocks_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater(),
                             [this](std::size_t block) { return newest_[block]; });
  }

  static std::int64_t oldest_wanted(std::span<const Best> best) {
    std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
    for (const Best& some : best) {
      if (!some.full()) return std::numeric_limits<std::int64_t>::min();
      oldest = std::min(oldest, some.last().time);
    }
    return oldest;
  }

  void read(std::size_t first, std::size_t step, std::vector<Best>& best) const {
    RowBlocks::Reader reader(blocks_);
    std::vector<float> most;
    for (std::size_t i = first; i < order_.size(); i += step) {
      const std::int64_t oldest = oldest_wanted(best);
      if (newest_[order_[i]] < oldest) return;  // as all that follow
      const RowBlocks::Block block =
          reader.read_if(order_[i], [&](std::size_t row) { return times_[row] >= oldest; });
      if (block.count == 0) continue;
      bounds_->at_most(block, most);
      for (std::size_t r = 0; r < block.count; ++r) {
        for (std::size_t q = 0; q < best.size(); ++q) {
          offer(block.rows[r], most[q * block.count + r], q, best[q]);
        }
      }
    }
  }

  // An image that is shown with the score `most` at most.
  void offer(std::size_t image, float most, std::size_t q, Best& best) const {
    if (static_cast<double>(most) < min_score_) return;
    const std::size_t place = place_of(questions_[q], image);
    if (best.full()) {
      const Timed& last = best.last();
      if (times_[image] < last.time) return;
      if (times_[image] == last.time &&
          (place > last.place || (place == last.place && !hubs_ && most < last.order))) {
        return;
      }
    }
    float order = 0;
    const float* row = table_.row(image);
    dot_kernels().f32(row, 1, table_.stride, &rows_[q * table_.stride], 1, &order);
    const bool corrected = hubs_ && questions_[q].query->corrected;
    const float shown = corrected ? order - row[table_.stride - 1] : order;
    if (!(static_cast<double>(shown) >= min_score_)) return;
    best.offer({times_[image], place, order, {image, shown}});
  }

  std::span<const NewestQuestion> questions_;
  double min_score_;
  std::size_t k_;
  const std::vector<std::int64_t>& times_;
  Scan scan_;
  Index::VectorTable table_;
  bool hubs_;
  RowBlocks blocks_;
  std::optional<ScoreBounds> bounds_;  // of what the questions show
  std::vector<float> rows_;            // [questions, columns]
  std::vector<std::int64_t> newest_;   // of each block
  std::vector<std::size_t> order_;     // of the blocks
};

}  // namespace

std::vector<std::vector<Hit>> newest_hits(const Index& index,
                                          std::span<const NewestQuestion> questions,
                                          double min_score, std::span<const std::size_t> known,
                                          std::size_t k, const RowMask* among) {
  std::optional<RowMask> unknown;
  if (!known.empty()) {
    unknown.emplace(among != nullptr ? *among : RowMask(index.size(), true));
    for (const std::size_t image : known) unknown->remove(image);
    among = &*unknown;
  }
  if (k == 0 || questions.empty()) return std::vector<std::vector<Hit>>(questions.size());
  return NewestPass(index, questions, min_score, k, among).hits();
}

void put_newest_first(const Index& index, const NewestQuestion& question, std::vector<Hit>& hits) {
  const std::vector<std::int64_t>& times = known_facts(index).times;
  std::ranges::stable_sort(hits, [&](const Hit& a, const Hit& b) {
    if (times[a.image] != times[b.image]) return times[a.image] > times[b.image];
    return place_of(question, a.image) < place_of(question, b.image);
  });
}

}  // namespace hinny

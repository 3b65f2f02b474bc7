// The best of many, as they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hinny {

// Keeps the `most` items that stand first; Before is a strict order of all of them, so that what is
// kept does not depend on when it was offered. Twice as many are gathered before the others are
// thrown out: an item costs the same however many are kept.
template <typename Item, typename Before>
class BestOf {
 public:
  explicit BestOf(std::size_t most, Before before = {}) : most_(most), before_(std::move(before)) {}

  bool full() const { return items_.size() >= most_; }
  // None of those that are kept stands behind it; only while full, and with `most` above 0.
  const Item& last() const { return last_; }

  void offer(const Item& item) {
    if (most_ == 0 || (full() && !before_(item, last_))) return;
    items_.push_back(item);
    if (items_.size() == most_) last_ = *std::max_element(items_.begin(), items_.end(), before_);
    if (items_.size() >= 2 * most_ + kMore) throw_out();
  }
  void offer_all(const BestOf& other) {
    for (const Item& item : other.items_) offer(item);
  }
  // Those that are kept, the first one first; then there are none.
  std::vector<Item> take() {
    if (full() && most_ > 0) throw_out();
    std::sort(items_.begin(), items_.end(), before_);
    return std::exchange(items_, {});
  }

 private:
  static constexpr std::size_t kMore = 8;

  void throw_out() {
    const auto end = items_.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(items_.begin(), end - 1, items_.end(), before_);
    last_ = *(end - 1);
    items_.erase(end, items_.end());
  }

  std::size_t most_;
  Before before_;
  std::vector<Item> items_;
  Item last_{};
};

}  // namespace hinny

// The best of many, as they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hinny {

// Keeps the `most` items that stand first; Before is a strict order of all of them, so that what is
// kept does not depend on when it was offered.
template <typename Item, typename Before>
class BestOf {
 public:
  explicit BestOf(std::size_t most, Before before = {}) : most_(most), before_(std::move(before)) {}

  bool full() const { return items_.size() >= most_; }
  // The last of those that are kept; only while full, and with `most` above 0.
  const Item& last() const { return items_.front(); }

  void offer(const Item& item) {
    if (!full()) {
      items_.push_back(item);
      if (full()) std::make_heap(items_.begin(), items_.end(), before_);
    } else if (most_ > 0 && before_(item, items_.front())) {
      std::pop_heap(items_.begin(), items_.end(), before_);
      items_.back() = item;
      std::push_heap(items_.begin(), items_.end(), before_);
    }
  }
  void offer_all(const BestOf& other) {
    for (const Item& item : other.items_) offer(item);
  }
  // Those that are kept, the first one first; then there are none.
  std::vector<Item> take() {
    std::sort(items_.begin(), items_.end(), before_);
    return std::exchange(items_, {});
  }

 private:
  std::size_t most_;
  Before before_;
  std::vector<Item> items_;  // when full a heap, the last on top
};

}  // namespace hinny

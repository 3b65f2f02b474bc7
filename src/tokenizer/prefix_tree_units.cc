// Making the double array: each node's children go to one block of 256 units, at an offset that no
// other node has.
#include <stdexcept>

#include "tokenizer/prefix_tree.h"

namespace hinny {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr std::uint32_t kFree = 1U << 31U;  // no label fits it
// Free units of older blocks are given up: looking through them costs more than they are worth.
constexpr std::uint32_t kOpenBlocks = 16;
constexpr int kTries = 1024;

class UnitsBuilder {
 public:
  using Strings = std::vector<std::pair<std::string, std::int32_t>>;

  explicit UnitsBuilder(const Strings& strings) : strings_(strings) {
    grow();
    take(0);
    units_[0] = 0;
    if (!strings_.empty()) open_.push_back({0, strings_.size(), 0, 0});
    while (!open_.empty()) {
      const Range range = open_.back();
      open_.pop_back();
      add_children(range);
    }
  }
  std::vector<std::uint32_t> units() && { return std::move(units_); }

 private:
  // The strings whose first `depth` bytes lead to `node`.
  struct Range {
    std::size_t begin, end, depth;
    std::uint32_t node;
  };

  void grow() {
    const auto size = static_cast<std::uint32_t>(units_.size());
    units_.resize(size + kBlock, kFree);
    offset_taken_.resize(size + kBlock, false);
    taken_.resize(size + kBlock, false);
    next_.resize(size + kBlock);
    previous_.resize(size + kBlock);
    for (std::uint32_t i = size; i < size + kBlock; ++i) {
      previous_[i] = last_;
      next_[i] = kNowhere;
      (last_ == kNowhere ? first_ : next_[last_]) = i;
      last_ = i;
    }
    if (size / kBlock < kOpenBlocks) return;
    const std::uint32_t closed = size - kOpenBlocks * kBlock;
    for (std::uint32_t i = closed; i < closed + kBlock; ++i) {
      if (!taken_[i]) take(i);
    }
  }

  void take(std::uint32_t unit) {
    taken_[unit] = true;
    (previous_[unit] == kNowhere ? first_ : next_[previous_[unit]]) = next_[unit];
    (next_[unit] == kNowhere ? last_ : previous_[next_[unit]]) = previous_[unit];
  }

  // What a unit can say: 21 bits, or 29 of which the last 8 are none.
  static bool can_be_said(std::uint32_t relative) {
    return relative < 1U << 21U || (relative % kBlock == 0 && relative < 1U << 29U);
  }

  bool fits(std::uint32_t offset, std::uint32_t node) const {
    if (offset_taken_[offset] || !can_be_said(node ^ offset)) return false;
    for (const unsigned char label : labels_) {
      if (taken_[offset ^ label]) return false;
    }
    return true;
  }

  std::uint32_t find_offset(std::uint32_t node) {
    int tries = 0;
    for (std::uint32_t unit = first_; unit != kNowhere && tries < kTries; unit = next_[unit]) {
      const std::uint32_t offset = unit ^ labels_.front();
      if (fits(offset, node)) return offset;
      ++tries;
    }
    const auto size = static_cast<std::uint32_t>(units_.size());
    grow();
    return size | (node % kBlock);
  }

  void add_children(const Range& range) {
    labels_.clear();
    starts_.clear();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::string& text = strings_[i].first;
      const auto label =
          static_cast<unsigned char>(text.size() == range.depth ? '\0' : text[range.depth]);
      if (!labels_.empty() && labels_.back() == label) continue;
      if (text.empty() || (label == 0 && text.size() != range.depth) ||
          (!labels_.empty() && label < labels_.back())) {
        throw std::invalid_argument("prefix_tree_units: strings that are not sorted");
      }
      labels_.push_back(label);
      starts_.push_back(i);
    }
    starts_.push_back(range.end);
    const std::uint32_t offset = find_offset(range.node);
    const std::uint32_t relative = range.node ^ offset;
    if (!can_be_said(relative)) throw std::length_error("prefix_tree_units: too many strings");
    offset_taken_[offset] = true;
    units_[range.node] |= relative < 1U << 21U ? relative << 10U : relative << 2U | 1U << 9U;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const unsigned char label = labels_[i];
      const std::uint32_t child = offset ^ label;
      take(child);
      if (label == 0) {
        units_[range.node] |= 1U << 8U;
        units_[child] = kFree | static_cast<std::uint32_t>(strings_[starts_[i]].second);
      } else {
        units_[child] = label;
        open_.push_back({starts_[i], starts_[i + 1], range.depth + 1, child});
      }
    }
  }

  const Strings& strings_;
  std::vector<std::uint32_t> units_, next_, previous_;
  std::vector<bool> taken_, offset_taken_;
  std::uint32_t first_ = kNowhere, last_ = kNowhere;
  std::vector<Range> open_;
  std::vector<unsigned char> labels_;  // of one node's children
  std::vector<std::size_t> starts_;
};

}  // namespace

std::vector<std::uint32_t> prefix_tree_units(
    const std::vector<std::pair<std::string, std::int32_t>>& sorted) {
  return UnitsBuilder(sorted).units();
}

}  // namespace hinny

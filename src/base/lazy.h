// Something that is opened when first asked for.
#pragma once

#include <memory>
#include <mutex>

namespace hinny {

// Safe to share between threads. Each has its own lock: who waits for it waits for nothing else.
template <typename T>
class Lazy {
 public:
  // `open` makes a T, once; after one that threw, the next call opens again.
  template <typename Open>
  const T& get(const Open& open) const {
    const std::lock_guard guard(lock_);
    if (value_ == nullptr) value_ = std::make_unique<const T>(open());
    return *value_;
  }

 private:
  mutable std::mutex lock_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace hinny

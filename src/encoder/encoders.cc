#include "encoder/encoders.h"

namespace hinny {

Encoders::Lease::Lease(const Encoders& owner) : owner_(owner) {
  {
    const std::lock_guard guard(owner.lock_);
    if (!owner.idle_.empty()) {
      encoder_ = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
  }
  if (encoder_ != nullptr) return;
  encoder_ = std::make_unique<TextEncoder>(owner.model_, owner.unknown_);
  const std::lock_guard guard(owner.lock_);
  owner.idle_.reserve(owner.made_ + 1);  // a destructor that finds no memory ends the program
  ++owner.made_;
}

Encoders::Lease::~Lease() {
  const std::lock_guard guard(owner_.lock_);
  owner_.idle_.push_back(std::move(encoder_));
}

}  // namespace hinny

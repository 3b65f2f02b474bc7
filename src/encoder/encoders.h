// Encoders for threads that come and go.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "encoder/text_encoder.h"

namespace hinny {

// Encoders of a model, which must outlive them: one for each thread that asks. Safe to share.
class Encoders {
 public:
  explicit Encoders(const Model& model, TextEncoder::Unknown unknown)
      : model_(model), unknown_(unknown) {}

  // An encoder for the calling thread, back with the others at the end of its life.
  class Lease {
   public:
    explicit Lease(const Encoders& owner);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    TextEncoder& operator*() const { return *encoder_; }

   private:
    const Encoders& owner_;
    std::unique_ptr<TextEncoder> encoder_;
  };

 private:
  const Model& model_;
  TextEncoder::Unknown unknown_;
  mutable std::mutex lock_;  // of what follows
  mutable std::size_t made_ = 0;
  mutable std::vector<std::unique_ptr<TextEncoder>> idle_;
};

}  // namespace hinny

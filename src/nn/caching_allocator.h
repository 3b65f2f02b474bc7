// Memory for CPU tensors that is kept and used again.
#pragma once

#include <cstddef>

namespace hinny {

// From now on CPU tensors take their memory from blocks that are kept after use, on huge pages
// where they are large: a training step then touches no fresh page (page faults cost a recurrent
// step more than half its time). Call once, before the first tensor. Thread-safe. Gives nothing
// back; blocks serve again for what is up to a third smaller, so that batches of different sizes
// soon find all they need.
void use_caching_allocator();

// What it has taken from the system so far.
std::size_t caching_allocator_bytes();

}  // namespace hinny

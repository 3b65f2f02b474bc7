// Memory for CPU tensors that is kept and used again.
#pragma once

namespace hinny {

// From now on CPU tensors take their memory from blocks that are kept after use, on huge pages
// where they are large: a training step then touches no fresh page (page faults cost a recurrent
// step more than half its time). Call once, before the first tensor. Thread-safe. Keeps at most
// the peak of what was in use at once, rounded up to an eighth.
void use_caching_allocator();

}  // namespace hinny

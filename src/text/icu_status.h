// What ICU says of a call.
#pragma once

#include <unicode/utypes.h>

#include <new>

namespace hinny {

// Whether it failed. Throws std::bad_alloc where it had no memory: that says nothing of what it was
// given.
inline bool icu_failed(UErrorCode status) {
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  return U_FAILURE(status) != 0;
}

}  // namespace hinny

// For code of others that runs on OpenMP's threads.
#pragma once

#include <omp.h>

namespace hinny {

// As long as it lives, what this thread calls takes one thread of OpenMP: ours share the work
// already.
class OneOpenmpThread {
 public:
  OneOpenmpThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneOpenmpThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneOpenmpThread(const OneOpenmpThread&) = delete;
  OneOpenmpThread& operator=(const OneOpenmpThread&) = delete;

 private:
  int before_;
};

}  // namespace hinny

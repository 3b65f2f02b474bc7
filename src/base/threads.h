// How many threads the process may use, and loops over them.
#pragma once

#include <cstddef>
#include <functional>

namespace hinny {

// --threads, else what thread_choice says (base/thread_choice.h).
int thread_count();
void set_thread_count(int count);  // before the first use; count >= 1
// Where neither says: the cores are shared with other processes like this one, `processes` in all.
void share_cores(int processes);

// Runs use(begin, end) over [0, size) in contiguous blocks, one for each of thread_count() threads,
// and waits. The first exception is rethrown here. The split depends on size and thread_count()
// alone. Inside another parallel_blocks it is one block on the calling thread.
// The calling thread works too; the others are the process's own, started once and shared by all
// who call, from however many threads. Where they are busy a thread runs several blocks, one after
// the other: blocks must not wait for each other.
void parallel_blocks(std::size_t size, const std::function<void(std::size_t, std::size_t)>& use);

// For programs that this one starts: OpenMP's threads, which run libtorch's operators, sleep soon
// after a loop. As they come they spin for milliseconds, on cores that our own threads or another
// program need by then. Nothing where the environment says how they are to wait: OpenMP reads it
// when it is loaded.
void let_openmp_sleep();

// True in what parallel_blocks runs beside other blocks: more threads would only get in the way.
bool in_parallel_blocks();

}  // namespace hinny

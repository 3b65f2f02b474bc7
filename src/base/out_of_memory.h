// What a program does when memory runs out.
#pragma once

#include <cstddef>

namespace hinny {

// For the start of main(). Keeps some memory aside, in two parts. The first allocation that fails
// is tried again with the first part: it may be a small one where nothing may fail, as in some
// destructors of libraries. The next one gives back the second part and throws std::bad_alloc, so
// that whatever is undone then finds some. Where memory runs out in what must not throw, or in a
// thread, the program says so in one line and ends with exit code 1.
void prepare_for_no_memory();

// Keeps aside again what was given back, if there is any. Safe to call from several threads, and
// costs nothing where nothing was.
void keep_memory_aside() noexcept;

// For what a library is about to take, and would wait for for ever: throws std::bad_alloc unless so
// many bytes could be had now. Takes none.
void expect_memory(std::size_t bytes);

// Likewise of threads of a library (their stacks).
void expect_memory_of_threads(int count);

}  // namespace hinny

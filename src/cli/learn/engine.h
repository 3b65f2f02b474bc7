// libtorch set up for this process.
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace hinny {

// Threads as thread_count() says, the caching allocator, and the device "cpu", "cuda" or "cuda:N".
// Throws InputError when this libtorch or machine has no such device.
c10::Device set_up_engine(const std::string& device);

}  // namespace hinny

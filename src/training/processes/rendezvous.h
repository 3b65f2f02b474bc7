// Where the processes of a training come together.
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "training/processes/launch.h"
#include "training/processes/patience.h"

namespace hinny {

inline constexpr std::chrono::seconds kForAllToCome{120};

// How a process reaches the store that process 0 keeps: at once, without waiting for the others.
c10d::TCPStoreOptions store_options(const Launch& launch);

// The store that process 0 holds, once all have come to it; `waited_for` always names those that
// have not. Failure when not all have within kForAllToCome; InputError when the name of process 0's
// machine stays unknown, and when what the processes say of themselves does not fit.
c10::intrusive_ptr<c10d::TCPStore> come_together(const Launch& launch, WaitedFor& waited_for);

}  // namespace hinny

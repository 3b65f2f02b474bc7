// hinny train --processes N: the same command N times on this machine.
#pragma once

namespace hinny {

// Starts this very command `count` times, as processes that train together
// (training/processes/launch.h), and waits until all have ended -> the exit code: 0, or that of the
// first that failed. When one fails the others get 20 seconds to notice, and are ended then. They
// end with this process.
int run_processes(int count);

}  // namespace hinny

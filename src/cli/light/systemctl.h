// systemd's user manager, where there is one.
#pragma once

#include <string>
#include <vector>

namespace hinny {

bool has_systemctl();

struct Systemctl {
  bool fine = false;
  std::string said;  // on either output, without the last line's end
};
// `systemctl --user WORDS`, which a shell reads: words of ours, and names of services.
Systemctl systemctl(const std::string& words);

// Each in turn. Without systemctl, or where `only_say`, it is said what to run. Throws Failure for
// one that fails.
void run_systemctl(const std::vector<std::string>& lines, bool only_say);

}  // namespace hinny

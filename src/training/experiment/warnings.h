// Warnings about a training or a measurement.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hinny {

class Warnings {
 public:
  // Says it on stderr, unless something of that kind was said, and keeps it.
  void say(const std::string& kind, const std::string& text);
  // All of them once more, as a long training ends.
  void say_again() const;
  // For what was so for a while, and is no longer.
  void forget(const std::string& kind);
  bool has(const std::string& kind) const;
  // Keeps them, but says nothing: of several processes one speaks.
  void silence() { silent_ = true; }
  // In the order in which they came: kind, text.
  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
  bool silent_ = false;
};

}  // namespace hinny

#include "training/experiment/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/terminal_text.h"

namespace hinny {

void Warnings::say(const std::string& kind, const std::string& text) {
  if (has(kind)) return;
  all_.emplace_back(kind, text);
  if (!silent_) print_line(stderr, "warning: {}\n", text);
}

void Warnings::forget(const std::string& kind) {
  std::erase_if(all_, [&](const auto& said) { return said.first == kind; });
}

void Warnings::say_again() const {
  if (silent_) return;
  for (const auto& [kind, text] : all_) print_line(stderr, "warning: {}\n", text);
}

bool Warnings::has(const std::string& kind) const {
  return std::ranges::any_of(all_, [&](const auto& said) { return said.first == kind; });
}

}  // namespace hinny

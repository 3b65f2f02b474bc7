#include "vision/network.h"

#include <algorithm>

namespace hinny {

NetworkError::NetworkError(const std::string& what) : std::runtime_error(one_line(what)) {}

InputError cannot_read(const std::filesystem::path& file, std::string_view why) {
  std::string what = network_runtime() + " cannot read this network";
  if (!why.empty()) what += ": " + one_line(why);
  return {file, what, "a whole file in ONNX format"};
}

std::string one_line(std::string_view text) {
  constexpr std::size_t kMost = 300;
  std::string line;
  for (const char c : text) {
    const bool plain = c > ' ' && c <= '~';
    if (plain || (!line.empty() && line.back() != ' ')) line += plain ? c : ' ';
    if (line.size() == kMost) return line + "...";
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace hinny

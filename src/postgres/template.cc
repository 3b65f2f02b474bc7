#include "postgres/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/text_file.h"

namespace hinny {
namespace {

constexpr std::string_view kPart = "--- ";

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& item : map) keys.push_back(item.first);
  return keys;
}

}  // namespace

SqlTemplate::SqlTemplate() { read(text(), {}); }

SqlTemplate::SqlTemplate(const std::filesystem::path& file) : SqlTemplate() {
  read(read_text(file, std::uint64_t{1} << 20U), file);
}

void SqlTemplate::read(std::string_view text, const std::filesystem::path& file) {
  std::string* part = nullptr;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(line.size());
    ++number;
    if (!line.starts_with(kPart)) {
      if (part != nullptr) *part += line;
      continue;
    }
    const std::string name(line.substr(kPart.size(), line.find_first_of(":\n") - kPart.size()));
    if (!file.empty() && !parts_.contains(name)) {
      throw InputError(
          file, number, fmt::format("a part named '{}'", name),
          fmt::format("a part of hinny push --print-sql{}", did_you_mean(name, keys_of(parts_))));
    }
    part = &parts_[name];
    part->clear();
  }
}

std::string SqlTemplate::fill(std::string_view part, const Names& names) const {
  const std::string& text = parts_.find(part)->second;
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    filled.append(text, at, open - at);
    at = open;
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    const std::string_view name = close == std::string::npos
                                      ? std::string_view()
                                      : std::string_view(text).substr(open + 1, close - open - 1);
    if (!is_name(name)) {
      filled += text[at++];
      continue;
    }
    const auto found = names.find(name);
    if (found == names.end()) {
      throw InputError(
          fmt::format("the template's part '{}' names {{{}}}", part, name),
          fmt::format("a name that is known there{}", did_you_mean(name, keys_of(names))));
    }
    filled += found->second;
    at = close + 1;
  }
  return filled;
}

}  // namespace hinny

#include "server/index_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/folder_name.h"
#include "base/path_text.h"
#include "base/utf8.h"
#include "server/url_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kIndexes = "/indexes/";

bool is_index_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;  // bytes
  const bool plain = std::ranges::none_of(
      name, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  return plain && !name.empty() && name.size() <= kLongest && name != "." && name != ".." &&
         is_utf8(name);
}

// The name before '=', where there is one.
std::optional<std::string> given_name(const std::string& given) {
  const std::size_t equals = given.find('=');
  std::error_code unknown;
  if (equals == std::string::npos || given.find('/') < equals || fs::exists(given, unknown)) {
    return std::nullopt;
  }
  return given.substr(0, equals);
}

std::string name_of_folder(const fs::path& folder) {
  const fs::path whole = without_slash(fs::absolute(folder).lexically_normal());
  const std::string name = path_text(whole.filename().string());
  return is_index_name(name) ? name : "index";
}

}  // namespace

std::vector<NamedFolder> named_folders(std::span<const std::string> given) {
  std::vector<NamedFolder> folders;
  std::set<std::string> names;
  for (const std::string& one : given) {
    const auto name = given_name(one);
    if (name && !is_index_name(*name)) {
      throw InputError(fmt::format("'{}' is no name of an index", *name),
                       "NAME=FOLDER with 1 to 64 bytes of UTF-8 before the '=', no slash");
    }
    if (name && !names.insert(*name).second) {
      throw InputError(fmt::format("two indexes are called '{}'", *name), "a name of its own each");
    }
    folders.push_back({name.value_or(""), name ? one.substr(name->size() + 1) : one});
  }
  // Those that are given stand: a folder's own name gives way to them.
  for (NamedFolder& folder : folders) {
    if (!folder.name.empty()) continue;
    const std::string own = name_of_folder(folder.folder);
    folder.name = own;
    for (int i = 2; !names.insert(folder.name).second; ++i) {
      folder.name = fmt::format("{}-{}", own, i);
    }
  }
  return folders;
}

Address address_of(std::string_view path) {
  if (!path.starts_with(kIndexes)) return {std::nullopt, std::string(path)};
  path.remove_prefix(kIndexes.size());
  const std::string_view name = path.substr(0, path.find('/'));
  return {std::string(name), std::string(path.substr(name.size()))};
}

std::string page_of_index(const std::string& name, const Address& seen_from) {
  const char* up = seen_from.index ? "../../" : "../indexes/";
  return fmt::format("{}{}/", up, url_encoded(name));
}

}  // namespace hinny

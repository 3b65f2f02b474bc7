// The systemd units of `hinny service`: one follows a folder of pictures, the other serves its
// index.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

struct Service {
  std::string name;  // letters, digits, '-', '_' and '.'
  // Absolute.
  std::filesystem::path program, model, pictures, index, key_file;  // no key_file: ""
  std::string host;
  int port = 0;
  std::vector<std::string> exclude;
};

// Word for word what a program is given: no specifier, no variable and no escape is left in it.
// Throws InputError for a program whose path systemd takes from nobody.
std::string exec_line(const std::vector<std::string>& words);

// "hinny-serve-mine.service": this one is enabled, and brings the other with it.
std::string serve_unit_name(const std::string& name);
std::string index_unit_name(const std::string& name);

// A unit is one of ours as long as it is as it was written: its first line has the hash of the
// rest.
std::string serve_unit(const Service& service);
std::string index_unit(const Service& service);

// What the service was installed with, as its unit says it; nullopt where there is no such file.
// Throws InputError for a file that is not as serve_unit and index_unit make them.
std::optional<nlohmann::ordered_json> read_unit(const std::filesystem::path& file);

}  // namespace hinny

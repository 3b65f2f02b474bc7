#include "cli/light/service_units.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "base/utf8.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kUnitMark = "# Written by hinny service; changes go into drop-ins. ";

// systemd.syntax(7) and "Command lines" in systemd.service(5): in quotes, with the escapes of C. A
// colon before the program keeps '$' from being a variable.
std::string exec_word(std::string_view word) {
  std::string quoted = "\"";
  const bool text = is_utf8(word);  // a line that is none is passed over
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += fmt::format("\\{}", c);
    } else if (c == '%') {
      quoted += "%%";
    } else if (byte < ' ' || byte == 0x7f || (byte >= 0x80 && !text)) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string told(const Service& service) {
  const ordered_json json = {{"name", service.name},
                             {"pictures", path_text(service.pictures.string())},
                             {"index", path_text(service.index.string())},
                             {"model", path_text(service.model.string())},
                             {"host", service.host},
                             {"port", service.port}};
  return fmt::format("# {}\n", json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

std::string marked(const std::string& rest) {
  return fmt::format("{}{}\n{}", kUnitMark, content_hash(std::string_view(rest)), rest);
}

}  // namespace

std::string exec_line(const std::vector<std::string>& words) {
  const std::string& program = words.front();
  for (const char c : program) {
    if (static_cast<unsigned char>(c) < ' ' ||
        std::string_view("\"'\\\x7f").find(c) != std::string_view::npos) {
      throw InputError(program, "systemd starts no program from here",
                       "a path without quotes, backslashes and control characters");
    }
  }
  std::string line = ":";
  for (const std::string& word : words) line += (line.size() > 1 ? " " : "") + exec_word(word);
  return line;
}

std::string serve_unit_name(const std::string& name) {
  return fmt::format("hinny-serve-{}.service", name);
}
std::string index_unit_name(const std::string& name) {
  return fmt::format("hinny-index-{}.service", name);
}

std::string serve_unit(const Service& service) {
  std::vector<std::string> words = {service.program.string(),
                                    "serve",
                                    fmt::format("{}={}", service.name, service.index.string()),
                                    "--port",
                                    std::to_string(service.port),
                                    "--host",
                                    service.host};
  if (!service.key_file.empty()) {
    words.insert(words.end(), {"--api-key-file", service.key_file.string()});
  }
  // Until the index has its first pictures there is nothing to serve: it is tried again.
  return marked(
      told(service) +
      fmt::format("[Unit]\nDescription=Hinny: pictures of {} found with sentences\nWants={}\n"
                  "StartLimitIntervalSec=0\n\n[Service]\nType=exec\nExecStart={}\n"
                  "Restart=on-failure\nRestartSec=10\nNoNewPrivileges=yes\n\n"
                  "[Install]\nWantedBy=default.target\n",
                  service.name, index_unit_name(service.name), exec_line(words)));
}

std::string index_unit(const Service& service) {
  std::vector<std::string> words = {
      service.program.string(),  "index", service.model.string(), "--pictures",
      service.pictures.string(), "--out", service.index.string(), "--watch"};
  for (const std::string& pattern : service.exclude) {
    words.insert(words.end(), {"--exclude", pattern});
  }
  return marked(told(service) +
                fmt::format("[Unit]\nDescription=Hinny: the index of {} follows its pictures\n"
                            "PartOf={}\nStartLimitIntervalSec=0\n\n[Service]\nType=exec\n"
                            "ExecStart={}\nRestart=on-failure\nRestartSec=60\n"
                            "NoNewPrivileges=yes\nNice=10\nIOSchedulingClass=idle\n",
                            service.name, serve_unit_name(service.name), exec_line(words)));
}

std::optional<ordered_json> read_unit(const fs::path& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
  if (fs::symlink_status(file).type() == fs::file_type::not_found) return std::nullopt;
  const std::string text = read_file(file, kMostBytes);
  const std::size_t end = text.find('\n');
  if (text.starts_with(kUnitMark) && end != std::string::npos) {
    const std::string_view rest = std::string_view(text).substr(end + 1);
    const std::string hash = text.substr(kUnitMark.size(), end - kUnitMark.size());
    if (rest.starts_with("# ") && content_hash(rest) == hash) {
      return ordered_json::parse(rest.substr(2, rest.find('\n') - 2), nullptr, false);
    }
  }
  throw InputError(file, "is not as hinny service wrote it, and stays",
                   "another --name, or that you move it away; changes of yours belong into "
                   "UNIT.d/*.conf beside it");
}

}  // namespace hinny

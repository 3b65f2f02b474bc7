// hinny service: a folder of pictures followed and served for as long as one is logged in, by
// systemd's user manager. Without systemctl it writes and says what to run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/path_text.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/light/service_units.h"
#include "cli/light/systemctl.h"
#include "cli/verb.h"
#include "index/folder/index.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kServicePort = 8080;

struct ServiceOptions {
  fs::path model, pictures, index, key_file;
  std::string name;
  std::string host = "127.0.0.1";
  int port = kServicePort;
  std::vector<std::string> exclude;
  bool no_start = false;
  bool json = false;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Where systemd looks for a user's own units.
fs::path unit_folder() {
  const std::string config = environment("XDG_CONFIG_HOME"), home = environment("HOME");
  if (fs::path(config).is_absolute()) return fs::path(config) / "systemd/user";
  if (home.empty()) throw InputError("no HOME", "one, for HOME/.config/systemd/user");
  return fs::path(home) / ".config/systemd/user";
}

bool is_service_name(std::string_view name) {
  constexpr std::size_t kLongest = 100;
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

std::string checked_name(const std::string& name) {
  if (is_service_name(name)) return name;
  throw InputError(fmt::format("'{}' is no name of a service", name),
                   "letters of English, digits, '-', '_' and '.', at most 100: --name NAME");
}

fs::path whole_path(const fs::path& path) {
  return path.empty() ? path : without_slash(fs::absolute(path).lexically_normal());
}

Service service_of(const ServiceOptions& options) {
  Service service{.name = options.name,
                  .program = fs::read_symlink("/proc/self/exe"),
                  .model = whole_path(options.model),
                  .pictures = whole_path(options.pictures),
                  .index = whole_path(options.index),
                  .key_file = whole_path(options.key_file),
                  .host = options.host,
                  .port = options.port,
                  .exclude = options.exclude};
  if (service.name.empty()) service.name = service.index.filename();
  checked_name(service.name);
  if (!fs::is_directory(service.pictures)) {
    throw InputError(service.pictures, "no such folder", "a folder of pictures");
  }
  if (!fs::exists(service.model))
    throw InputError(service.model, "no such file or folder", "a bundle");
  check_replaceable(service.index, kContentsFile, "index");
  const bool alone =
      service.host == "127.0.0.1" || service.host == "::1" || service.host == "localhost";
  if (service.key_file.empty() && !alone) {
    throw InputError(fmt::format("--host {} lets other machines in", service.host),
                     "--api-key-file FILE with it, or 127.0.0.1");
  }
  if (!service.key_file.empty() && !fs::is_regular_file(service.key_file)) {
    throw InputError(service.key_file, "no such file", "one line with the key");
  }
  return service;
}

std::string address(const std::string& host, int port) {
  const bool six = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", six ? fmt::format("[{}]", host) : host, port);
}

int install_service(const ServiceOptions& options) {
  const Service service = service_of(options);
  const fs::path folder = unit_folder();
  const fs::path serve = folder / serve_unit_name(service.name),
                 index = folder / index_unit_name(service.name);
  const std::string serve_text = serve_unit(service), index_text = index_unit(service);
  for (const fs::path& file : {serve, index}) {
    const auto there = read_unit(file);
    if (!there) continue;
    const std::string of = there->value("index", "");
    if (path_from_text(of) != service.index.string()) {
      throw InputError(
          file, fmt::format("is of the index {}", of),
          fmt::format("--name with another name, or hinny service remove {} before", service.name));
    }
  }
  create_folder(folder);
  write_file(index, index_text);
  write_file(serve, serve_text);
  for (const fs::path& file : {serve, index}) print_line(stdout, "wrote {}\n", file.string());
  run_systemctl(
      {"daemon-reload", "enable " + serve.filename().string(),
       fmt::format("restart {} {}", index.filename().string(), serve.filename().string())},
      options.no_start);
  print_line(stdout, "the page: {}, once the first pictures are read\n",
             address(service.host, service.port));
  print_line(stdout, "to run when nobody is logged in, too: loginctl enable-linger\n");
  return 0;
}

std::string active_state(const std::string& unit) { return systemctl("is-active " + unit).said; }

int tell_services(const ServiceOptions& options) {
  const fs::path folder = unit_folder();
  const std::string prefix = "hinny-serve-";
  std::vector<std::string> names;
  if (!options.name.empty()) {
    names = {checked_name(options.name)};
    if (!fs::exists(folder / serve_unit_name(options.name))) {
      throw InputError(fmt::format("no service '{}'", options.name),
                       "one that hinny service installed");
    }
  } else {
    for (const std::string& stem : names_of_files(folder, ".service")) {
      const std::string name = stem.starts_with(prefix) ? stem.substr(prefix.size()) : "";
      if (is_service_name(name)) names.push_back(name);
    }
  }
  const bool known = has_systemctl();
  ordered_json all = ordered_json::array();
  for (const std::string& name : names) {
    ordered_json one;
    try {
      one = *read_unit(folder / serve_unit_name(name));
    } catch (const InputError& error) {  // another's, or changed
      print_line(stderr, "{}\n", error.what());
      one = {{"name", name}};
    }
    one["serve"] = known ? active_state(serve_unit_name(name)) : "unknown";
    one["follow"] = known ? active_state(index_unit_name(name)) : "unknown";
    all.push_back(std::move(one));
  }
  if (!known) print_line(stderr, "no systemctl here: whether they run is unknown\n");
  if (options.json) {
    put_json(all, 1);
    return 0;
  }
  if (all.empty()) print_line(stdout, "no service in {}\n", folder.string());
  for (const ordered_json& one : all) {
    print_line(stdout, "{}: {}, following: {}; {} -> {}, {}\n", one.value("name", ""),
               one.value("serve", ""), one.value("follow", ""), one.value("pictures", ""),
               one.value("index", ""), address(one.value("host", ""), one.value("port", 0)));
  }
  return 0;
}

// Pictures and index stay.
int remove_service(const ServiceOptions& options) {
  const std::string name = checked_name(options.name);
  const fs::path folder = unit_folder();
  std::vector<fs::path> files;
  for (const std::string& unit : {serve_unit_name(name), index_unit_name(name)}) {
    if (read_unit(folder / unit)) files.push_back(folder / unit);
  }
  if (files.empty()) {
    throw InputError(fmt::format("no service '{}'", name), "one that hinny service status names");
  }
  if (has_systemctl()) {
    run_systemctl(
        {fmt::format("disable --now {} {}", serve_unit_name(name), index_unit_name(name))}, false);
  }
  for (const fs::path& file : files) {
    std::error_code problem;
    if (!fs::remove(file, problem) && problem) {
      throw Failure(fmt::format("cannot remove {}: {}", file.string(), problem.message()));
    }
    print_line(stdout, "removed {}\n", file.string());
  }
  if (has_systemctl()) run_systemctl({"daemon-reload"}, false);
  return 0;
}

std::function<int()> declare_service(CLI::App& command) {
  command.footer(
      "hinny service install, status and remove (each with --help): a folder of pictures followed "
      "and served by "
      "systemd, as you.\n\n"
      "example:\n  hinny service install clip --pictures ~/Pictures --out ~/mine");
  return []() -> int { throw InputError("service, and not what", "install, status or remove"); };
}

std::function<int()> declare_service_install(CLI::App& command) {
  command.description("follow a folder of pictures and serve it, from now on");
  const auto options = std::make_shared<ServiceOptions>();
  command.add_option("MODEL", options->model, "a bundle: a folder or an archive")->required();
  command
      .add_option("--pictures", options->pictures, "folder of pictures, with all folders below it")
      ->required();
  command
      .add_option("--out,-o", options->index,
                  "the index's folder, which it makes and keeps up to date")
      ->required();
  command
      .add_option("--name", options->name,
                  "what the service is called (default: as the index's folder)")
      ->default_str("");
  command.add_option("--port", options->port, "of the page")->check(CLI::Range(1, 65535));
  command.add_option("--host", options->host, "address to listen on");
  command
      .add_option("--api-key-file", options->key_file,
                  "a file with the key that requests must carry; others than this machine are "
                  "served only with one")
      ->default_str("");
  command
      .add_option("--exclude", options->exclude,
                  "leave out what this pattern says, as in hinny index; may be given several times")
      ->expected(1)
      ->take_all()
      ->default_str("");
  command.add_flag("--no-start", options->no_start, "write the units, and say what starts them")
      ->always_capture_default(false);
  command.footer(
      "Writes two units of systemd into ~/.config/systemd/user and starts them: one reads the "
      "pictures and "
      "follows the folder, one serves the index. The same command again, with other options, "
      "replaces them; "
      "what anyone else wrote, or changed, stays. Without systemctl it says what to run.\n\n"
      "example:\n  hinny service install clip --pictures ~/Pictures --out ~/mine");
  return [options] { return install_service(*options); };
}

std::function<int()> declare_service_status(CLI::App& command) {
  command.description("which services are installed, and whether they run");
  const auto options = std::make_shared<ServiceOptions>();
  command.add_option("NAME", options->name, "one of them (default: all)")->default_str("");
  command.add_flag("--json", options->json, "print the same for a program")
      ->always_capture_default(false);
  command.footer("example:\n  hinny service status");
  return [options] { return tell_services(*options); };
}

std::function<int()> declare_service_remove(CLI::App& command) {
  command.description("end a service and remove its units; pictures and index stay");
  const auto options = std::make_shared<ServiceOptions>();
  command.add_option("NAME", options->name, "as hinny service status says it")->required();
  command.footer("example:\n  hinny service remove mine");
  return [options] { return remove_service(*options); };
}

const RegisterVerb service_verb{"service", declare_service};
const RegisterVerb service_install_verb{"service install", declare_service_install};
const RegisterVerb service_status_verb{"service status", declare_service_status};
const RegisterVerb service_remove_verb{"service remove", declare_service_remove};

}  // namespace
}  // namespace hinny

// hinny doctor: is this machine set up well?
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/light/doctor_checks.h"
#include "cli/verb.h"

namespace hinny {
namespace {

const char* name_of(Mark mark) {
  return mark == Mark::kOk ? "ok" : mark == Mark::kWarn ? "warn" : "fail";
}

void print_text(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    print_line(stdout, "{:<5} {:<9} {}\n", name_of(check.mark), check.name, check.what);
  }
}

void print_json(const std::vector<Check>& checks, bool healthy) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    list.push_back({{"mark", name_of(check.mark)}, {"name", check.name}, {"what", check.what}});
  }
  const nlohmann::ordered_json all = {{"healthy", healthy}, {"checks", list}};
  // A path in a message may be any bytes: what is no UTF-8 is replaced, never thrown at.
  put_json(all, 2);
}

std::function<int()> declare_doctor(CLI::App& command) {
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "print the same for a program")->always_capture_default(false);
  command.footer(
      "A `fail` means that something cannot work; a `warn`, that it will be slow, or guarded "
      "less.\n\n"
      "example:\n  hinny doctor");
  return [json] {
    std::vector<Check> checks = {check_cpu(),      check_memory(),  check_disk(),
                                 check_blas(),     check_threads(), check_programs(),
                                 check_decoders(), check_networks()};
    for (Check& check : checks_by_learn()) checks.push_back(std::move(check));
    const bool healthy =
        std::ranges::none_of(checks, [](const Check& check) { return check.mark == Mark::kFail; });
    *json ? print_json(checks, healthy) : print_text(checks);
    return healthy ? 0 : 1;
  };
}

const RegisterVerb doctor_verb{"doctor", declare_doctor};

}  // namespace
}  // namespace hinny

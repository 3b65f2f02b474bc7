#include "cli/describe.h"

#include <nlohmann/json.hpp>

namespace hinny {
namespace {

using nlohmann::ordered_json;

ordered_json described(const CLI::Option& option) {
  ordered_json names = ordered_json::array();
  if (option.get_positional()) {
    names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  }
  const bool flag = option.get_items_expected_max() == 0;
  return {{"names", names},
          {"value", flag ? "" : option.get_type_name()},
          {"meaning", option.get_description()},
          {"default", flag ? "" : option.get_default_str()},
          {"required", option.get_required()}};
}

}  // namespace

std::string describe(const CLI::App& command, const std::string& verb,
                     const std::vector<std::string>& second_words) {
  ordered_json options = ordered_json::array();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) options.push_back(described(*option));
  }
  return ordered_json{{"verb", verb},
                      {"summary", command.get_description()},
                      {"footer", command.get_footer()},
                      {"verbs", second_words},
                      {"options", options}}
             .dump(1) +
         "\n";
}

}  // namespace hinny

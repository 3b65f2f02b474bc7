#include "cli/describe.h"

#include <nlohmann/json.hpp>

#include "cli/modes.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

ordered_json described(const CLI::App& command, const CLI::Option& option) {
  ordered_json names = ordered_json::array();
  if (option.get_positional()) {
    names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  }
  const bool flag = option.get_items_expected_max() == 0;
  const ModesText::Option acts = ModesText::option(command, option);
  return {{"names", names},
          {"value", flag ? "" : option.get_type_name()},
          {"meaning", option.get_description()},
          {"default", flag ? "" : option.get_default_str()},
          {"required", option.get_required()},
          {"modes", acts.modes},
          {"beside", acts.beside},
          {"apart_from", acts.apart_from}};
}

ordered_json described(const CLI::App& command, const std::string& verb,
                       const std::vector<std::string>& second_words) {
  ordered_json options = ordered_json::array(), modes = ordered_json::array(),
               subcommands = ordered_json::array();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) options.push_back(described(command, *option));
  }
  for (const ModesText::Mode& mode : ModesText::modes(command)) {
    modes.push_back({{"how", mode.how}, {"words", mode.words}, {"found", mode.found}});
  }
  for (const CLI::App* inner : command.get_subcommands({})) {
    subcommands.push_back(described(*inner, verb + " " + inner->get_name(), {}));
  }
  return {{"verb", verb},
          {"summary", command.get_description()},
          {"footer", command.get_footer()},
          {"verbs", second_words},
          {"modes", modes},
          {"options", options},
          {"subcommands", subcommands}};
}

}  // namespace

std::string describe(const CLI::App& command, const std::string& verb,
                     const std::vector<std::string>& second_words) {
  return described(command, verb, second_words).dump(1) + "\n";
}

}  // namespace hinny

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"

namespace hinny {
namespace {

struct RecipesArguments {
  std::string name;
  bool keys = false;
  bool json = false;
};

int run_recipes(const RecipesArguments& arguments) {
  if (arguments.keys) {
    fmt::print("{}", arguments.json ? keys_as_json() : keys_as_markdown());
    return 0;
  }
  if (!arguments.name.empty()) {
    const Recipe recipe = find_recipe(arguments.name);
    fmt::print("{}", as_toml(recipe));
    return 0;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [name, text] : built_in_recipes()) {
    const Recipe recipe = find_recipe(name);
    const AboutSettings& about = recipe.about;
    if (arguments.json) {
      list.push_back({{"name", name},
                      {"system", name_of(recipe.model.system)},
                      {"summary", about.summary},
                      {"paper", about.paper},
                      {"cost", about.cost}});
    } else {
      fmt::print("{:<19} {}\n{:<19} {}{}{}\n", name, about.summary, "", about.paper,
                 about.paper.empty() ? "" : "; ", about.cost);
    }
  }
  if (arguments.json) fmt::print("{}\n", list.dump(2));
  return 0;
}

std::function<int()> declare_recipes(CLI::App& command) {
  auto arguments = std::make_shared<RecipesArguments>();
  Modes modes(command);
  const Modes::Set keys = modes.with("--keys"), one = modes.with("NAME"),
                   list = modes.otherwise("in the list of recipes");
  modes
      .acts(command.add_option("NAME", arguments->name,
                               "print this recipe with every key that acts in its system"))
      .in(one);
  command.add_flag("--keys", arguments->keys,
                   "list every key: default, values, the systems in which it acts, meaning");
  modes.acts(command.add_flag("--json", arguments->json, "print JSON")).in(keys | list);
  command.footer("example:\n  hinny recipes bag > mine.toml\n  hinny recipes --keys --json");
  return [arguments] { return run_recipes(*arguments); };
}

const RegisterVerb recipes_verb{"recipes", declare_recipes};

}  // namespace
}  // namespace hinny

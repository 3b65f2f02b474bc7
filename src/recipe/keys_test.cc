// Each row of the table of keys does what it says: its type, its values, the systems it acts in.
#include "recipe/keys.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "base/error.h"
#include "base/read_file.h"
#include "recipe/check_recipe.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "recipe/recipe_warnings.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

template <typename Action>
std::string error_when(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The key alone in a file, on its third line, in a recipe of `system`.
std::string file_with(const RecipeKey& key, const std::string& value, SystemKind system) {
  const std::size_t dot = key.name.find('.');
  if (key.name == "system") return "\n\nsystem = " + value + "\n";
  const std::string first = fmt::format("system = \"{}\"\n", name_of(system));
  if (dot == std::string::npos) return first + "\n" + key.name + " = " + value + "\n";
  return first +
         fmt::format("[{}]\n{} = {}\n", key.name.substr(0, dot), key.name.substr(dot + 1), value);
}

SystemKind system_of(const RecipeKey& key) {
  for (const auto& [system, name] : Choices<SystemKind>::all) {
    if (key.acts_in.contains(system)) return system;
  }
  ADD_FAILURE() << key.name << " acts in no system";
  return SystemKind::bag;
}

// Values that a setting must refuse.
struct WrongValues {
  const RecipeKey& key;

  std::vector<std::string> operator()(const bool*) const { return {"\"yes\"", "1"}; }
  std::vector<std::string> operator()(const ChoiceSetting&) const {
    return {"3", "\"no-such-choice\"", "\"\""};
  }
  std::vector<std::string> operator()(const std::int64_t*) const {
    std::vector<std::string> wrong = whole_numbers();
    wrong.insert(wrong.end(), {"1.5", "\"many\"", "true"});
    return wrong;
  }
  std::vector<std::string> operator()(const double*) const {
    std::vector<std::string> wrong = numbers();
    wrong.insert(wrong.end(), {"\"much\"", "nan", "inf"});
    return wrong;
  }
  std::vector<std::string> operator()(const std::string*) const { return {"3", "[\"a\"]"}; }
  std::vector<std::string> operator()(const std::vector<std::int64_t>*) const {
    std::vector<std::string> wrong = {"3", "[\"many\"]", "[1.5]"};
    for (const std::string& number : whole_numbers()) wrong.push_back("[" + number + "]");
    return wrong;
  }
  std::vector<std::string> operator()(const std::vector<std::string>*) const {
    std::vector<std::string> wrong = {"\"en\"", "[3]"};
    if (!key.words.empty()) wrong.emplace_back("[\"no-such-word\"]");
    return wrong;
  }
  std::vector<std::string> operator()(const std::map<std::string, std::int64_t>*) const {
    return in_tables(whole_numbers());
  }
  std::vector<std::string> operator()(const std::map<std::string, double>*) const {
    return in_tables(numbers());
  }
  std::vector<std::string> operator()(
      const std::map<std::string, std::vector<std::string>>*) const {
    return {"3", "{en = \"a\"}", "{en = [\"no-such-word\"]}"};
  }
  std::vector<std::string> operator()(const std::vector<std::vector<std::string>>*) const {
    return {"3", "[\"en\"]", "[[3]]"};
  }

  std::vector<std::string> whole_numbers() const {
    return {fmt::format("{}", static_cast<std::int64_t>(key.range.low) - 1),
            fmt::format("{}", static_cast<std::int64_t>(key.range.high) + 1)};
  }
  std::vector<std::string> numbers() const {
    return {fmt::format("{:.6f}", key.range.low - 1), fmt::format("{:.6f}", key.range.high * 1.1)};
  }
  static std::vector<std::string> in_tables(const std::vector<std::string>& numbers) {
    std::vector<std::string> tables = {"3", "{en = \"many\"}"};
    for (const std::string& number : numbers) tables.push_back("{en = " + number + "}");
    return tables;
  }
};

TEST(RecipeKeys, EachRefusesWrongValuesAtTheirPlace) {
  Recipe any;
  std::size_t tried = 0;
  for (const RecipeKey& key : recipe_keys()) {
    for (const std::string& value : std::visit(WrongValues{key}, key.setting(any))) {
      const std::string file =
          error_when([&] { parse_recipe(file_with(key, value, system_of(key)), "mine.toml"); });
      EXPECT_THAT(file, StartsWith("mine.toml:3: ")) << key.name << " = " << value;
      EXPECT_THAT(file, HasSubstr(key.name)) << value;
      const std::string assignment = key.name + "=" + value;
      const std::string set = error_when([&] { find_recipe("bag", {assignment}); });
      EXPECT_THAT(set, StartsWith("--set " + assignment + ": ")) << key.name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 3 * recipe_keys().size());
}

TEST(RecipeKeys, EachIsRefusedWhereItHasNoEffectEvenAtItsDefault) {
  std::size_t pairs = 0;
  for (const RecipeKey& key : recipe_keys()) {
    Recipe defaults;
    const std::string value = setting_text(key.setting(defaults));
    for (const auto& [system, name] : Choices<SystemKind>::all) {
      if (key.acts_in.contains(system)) continue;
      const std::string says = fmt::format("{} has no effect on system {} ", key.name, name);
      EXPECT_THAT(error_when([&, system = system] {
                    parse_recipe(file_with(key, value, system), "mine.toml");
                  }),
                  StartsWith("mine.toml:3: " + says));
      const std::string assignment = key.name + "=" + value;
      EXPECT_THAT(error_when([&, name = name] { find_recipe(std::string(name), {assignment}); }),
                  StartsWith("--set " + assignment + ": " + says));
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 300U);
}

// Where it does act, its default can be said.
TEST(RecipeKeys, EachMayBeSetWhereItActs) {
  for (const auto& [system, name] : Choices<SystemKind>::all) {
    for (const RecipeKey& key : recipe_keys()) {
      if (!key.acts_in.contains(system)) continue;
      Recipe recipe = find_recipe(std::string(name));
      const std::string value = setting_text(key.setting(recipe));
      const std::string assignment = key.name + "=" + value;
      EXPECT_EQ(error_when([&, name = name] { find_recipe(std::string(name), {assignment}); }),
                "no error")
          << name << " " << key.name;
    }
  }
}

// Of one that other keys of the recipe leave nothing to do.
TEST(RecipeKeys, EachIsWarnedOfWhereItIsIdleAndNowhereElse) {
  std::set<std::string> tried;
  for (const auto& [system, name] : Choices<SystemKind>::all) {
    Recipe recipe = find_recipe(std::string(name));
    for (const RecipeKey& key : recipe_keys()) {
      if (!key.acts(recipe)) continue;
      const std::string assignment = key.name + "=" + setting_text(key.setting(recipe));
      Recipe set = find_recipe(std::string(name), {assignment});
      set.languages = {"en", "de"};
      set.about.features.clear();
      const auto idle = testing::Contains(HasSubstr(key.name + " has no effect with "));
      const std::vector<std::string> warnings = recipe_warnings(set);
      if (!key.is_idle(recipe)) {
        EXPECT_THAT(warnings, testing::Not(idle)) << name;
        continue;
      }
      EXPECT_THAT(warnings, idle) << name;
      tried.insert(key.name);
    }
  }
  EXPECT_GT(tried.size(), 25U);
}

TEST(RecipeKeys, HaveConditionsThatAreData) {
  for (const RecipeKey& key : recipe_keys()) {
    EXPECT_EQ(key.when.always(), key.when.text().empty()) << key.name;
    for (const auto& word :
         {"triplet", "infonce:", "gru", "lstm:", "with ", "images:", "captions:", "given:"}) {
      EXPECT_FALSE(key.meaning.starts_with(word))
          << key.name << ": its condition is prose, and no data: " << key.meaning;
    }
  }
}

TEST(RecipeKeys, HaveDefaultsThatAreAllowedAndAreDeclaredOnce) {
  std::set<std::string> names;
  Recipe defaults;
  for (const RecipeKey& key : recipe_keys()) {
    EXPECT_NO_THROW(check_value(defaults, key)) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    EXPECT_TRUE(names.insert(key.name).second) << key.name << " twice";
  }
}

TEST(RecipeKeys, TheDocumentationHoldsTheirTable) {
  const std::string page =
      read_file(std::filesystem::path(__FILE__).parent_path() / "../../docs/recipes.md");
  const std::string table = "<!-- keys -->\n" + keys_as_markdown() + "<!-- end of keys -->\n";
  EXPECT_NE(page.find(table), std::string::npos)
      << "docs/recipes.md has another table of keys: scripts/key-table writes it";
}

}  // namespace
}  // namespace hinny

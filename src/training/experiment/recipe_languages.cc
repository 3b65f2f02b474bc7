#include "training/experiment/recipe_languages.h"

#include "text/language_code.h"

namespace hinny {
namespace {

template <typename Value>
void rename(std::map<std::string, Value>& by_language, const Dataset& dataset) {
  std::map<std::string, Value> renamed;
  for (auto& [language, value] : by_language) {
    renamed.emplace(find_language(dataset.languages(), language).value_or(language),
                    std::move(value));
  }
  by_language = std::move(renamed);
}

}  // namespace

void use_codes_of(const Dataset& dataset, Recipe& recipe) {
  const auto rename_one = [&](std::string& language) {
    if (language.empty()) return;
    if (const auto own = find_language(dataset.languages(), language)) language = *own;
  };
  for (std::string& language : recipe.languages) rename_one(language);
  rename_one(recipe.train.best_by);
  rename_one(recipe.parallel.pivot);
  rename_one(recipe.teacher.language);
  rename_one(recipe.model.text.lender);
  rename(recipe.model.loss.language_weights, dataset);
  rename(recipe.data.sources_by_language, dataset);
  rename(recipe.sample.captions_by_language, dataset);
  for (auto& group : recipe.sample.groups) {
    for (std::string& language : group) rename_one(language);
  }
}

}  // namespace hinny

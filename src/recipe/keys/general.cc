#include "recipe/section.h"

namespace hinny {

void add_general_keys(std::vector<RecipeKey>& keys) {
  const Section<Recipe> top(keys, "", [](Recipe& r) -> Recipe& { return r; });
  const Section<SystemOptions> model(keys, "", [](Recipe& r) -> SystemOptions& { return r.model; });
  model.add(
      "system", &SystemOptions::system,
      {.acts_in = kEvery, .meaning = "the model; nmt and mmt translate, the others retrieve"});
  top.add("languages", &Recipe::languages,
          {.acts_in = kEvery, .meaning = "languages to learn; empty: all of the dataset"});
  model.add(
      "dim", &SystemOptions::dim,
      {.acts_in = kRetrieving, .meaning = "size of the joint space", .range = {1, kMostSize}});
  model.add("precision", &SystemOptions::precision,
            {.acts_in = kEvery,
             .meaning = "what large products read; sums and weights stay fp32; auto: bf16 where "
                        "that is faster"});

  const Section<AboutSettings> about(keys, "about",
                                     [](Recipe& r) -> AboutSettings& { return r.about; });
  about.add("summary", &AboutSettings::summary,
            {.acts_in = kEvery, .meaning = "one line for `hinny recipes`"});
  about.add("paper", &AboutSettings::paper,
            {.acts_in = kEvery, .meaning = "where the system comes from"});
  about.add("cost", &AboutSettings::cost, {.acts_in = kEvery, .meaning = "what a training takes"});
  about.add("features", &AboutSettings::features,
            {.acts_in = kEvery,
             .meaning = "features that the recipe was tuned on; with others a training says so"});
}

}  // namespace hinny

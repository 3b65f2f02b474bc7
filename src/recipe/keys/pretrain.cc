#include "recipe/section.h"

namespace hinny {

void add_pretrain_keys(std::vector<RecipeKey>& keys) {
  const Section<PretrainSettings> pretrain(
      keys, "pretrain", [](Recipe& r) -> PretrainSettings& { return r.model.pretrain; });
  pretrain.add(
      "epochs", &PretrainSettings::epochs,
      {.acts_in = kSharedWords,
       .meaning =
           "epochs of the words' space alone before the others, with fixed word vectors (LP)",
       .range = {0, 1e6},
       .source = "Kim et al. 2020"});
  pretrain.add("loss", &PretrainSettings::loss,
               {.acts_in = kSharedWords,
                .meaning = "by which loss: infonce, all (negatives), or recipe ([loss] as it is)",
                .when = on("pretrain.epochs")});
}

}  // namespace hinny

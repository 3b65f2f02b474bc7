#include "recipe/section.h"

namespace hinny {

void add_hub_keys(std::vector<RecipeKey>& keys) {
  const Section<HubSettings> hubs(keys, "hubs", [](Recipe& r) -> HubSettings& { return r.hubs; });
  hubs.add("size", &HubSettings::size,
           {.acts_in = kTwoBranches | kLate | kTaught,
            .meaning = "training captions, and as many pictures, that the model stores to correct "
                       "hubness: what lies near everything scores lower; 0: none",
            .range = {0, kMostSize},
            .source = "Bogolin et al. 2022"});
  hubs.add("weight", &HubSettings::weight,
           {.acts_in = kTwoBranches | kLate | kTaught,
            .meaning = "share of a hub's nearness that is taken off its scores",
            .range = {1e-6, kMostWeight},
            .when = on("hubs.size")});
  hubs.add("temperature", &HubSettings::temperature,
           {.acts_in = kTwoBranches | kLate | kTaught,
            .meaning = "how few of those nearest a hub count",
            .range = {1e-3, 1e3},
            .source = "Conneau et al. 2018",
            .when = on("hubs.size")});
}

void add_rerank_keys(std::vector<RecipeKey>& keys) {
  const Section<RerankSettings> rerank(keys, "rerank",
                                       [](Recipe& r) -> RerankSettings& { return r.rerank; });
  rerank.add("weight", &RerankSettings::weight,
             {.acts_in = kLate,
              .meaning = "re-ranking: weight of its scores beside those of the model whose best it "
                         "re-ranks",
              .range = {0, kMostWeight}});
}

}  // namespace hinny

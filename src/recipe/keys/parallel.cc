#include "recipe/section.h"

namespace hinny {

void add_parallel_keys(std::vector<RecipeKey>& keys) {
  const Section<ParallelSettings> parallel(
      keys, "parallel", [](Recipe& r) -> ParallelSettings& { return r.parallel; });
  parallel.add("data", &ParallelSettings::data,
               {.acts_in = kTwoBranches,
                .meaning = "dataset of parallel sentences: the same in several languages, without "
                           "pictures; --parallel overrides"});
  parallel.add("pivot", &ParallelSettings::pivot,
               {.acts_in = kTwoBranches,
                .meaning = "language whose vectors the other languages' sentences learn to reach"});
  parallel.add("weight", &ParallelSettings::weight,
               {.acts_in = kTwoBranches,
                .meaning = "weight of a parallel sentence beside a caption",
                .range = {0, kMostWeight}});
  parallel.add("lines", &ParallelSettings::lines,
               {.acts_in = kTwoBranches,
                .meaning = "parallel sentences in a batch",
                .range = {2, kMostSize}});
  parallel.add("temperature", &ParallelSettings::temperature,
               {.acts_in = kTwoBranches,
                .meaning = "temperature of the contrast between parallel sentences",
                .range = {1e-3, 1e3}});
}

}  // namespace hinny

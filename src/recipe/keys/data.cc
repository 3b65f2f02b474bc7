#include "data/dataset.h"
#include "recipe/section.h"

namespace hinny {

void add_data_keys(std::vector<RecipeKey>& keys) {
  const Section<DataSettings> data(keys, "data", [](Recipe& r) -> DataSettings& { return r.data; });
  data.add("sources", &DataSettings::sources,
           {.acts_in = kEvery,
            .meaning = "sources of the training captions: [\"human-original\"]; empty: all",
            .words = source_names()});
  data.add("sources_by_language", &DataSettings::sources_by_language,
           {.acts_in = kEvery,
            .meaning = "the same for single languages: {de = [\"human-translation\"]}",
            .words = source_names()});
  data.add(
      "parallel", &DataSettings::parallel,
      {.acts_in = kEvery,
       .meaning = "PREFIX of parallel text, PREFIX.en and so on: of an image only the training "
                  "captions that are one parallel sentence; empty: all"});
  data.add("images", &DataSettings::images,
           {.acts_in = kEvery,
            .meaning = "share of the training images, drawn by the seed",
            .range = {1e-6, 1}});
  data.add("captions", &DataSettings::captions,
           {.acts_in = kEvery,
            .meaning = "training captions of an image per language, drawn by the seed; 0: all",
            .range = {0, 1e6}});
  data.add(
      "overlap", &DataSettings::overlap,
      {.acts_in = kRetrieving,
       .meaning = "all: every language describes every image; none: each image keeps one language",
       .source = "Kádár et al. 2018"});
}

}  // namespace hinny

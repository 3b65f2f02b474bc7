#include "recipe/section.h"

namespace hinny {

void add_sample_keys(std::vector<RecipeKey>& keys) {
  const Section<SampleSettings> sample(keys, "sample",
                                       [](Recipe& r) -> SampleSettings& { return r.sample; });
  sample.add("by", &SampleSettings::by,
             {.acts_in = kRetrieving,
              .meaning = "images (captions of every language) or captions (one language a batch)"});
  sample.add("images_per_batch", &SampleSettings::images_per_batch,
             {.acts_in = kRetrieving,
              .meaning = "images (or captions) in a batch",
              .range = {2, 1 << 20}});
  sample.add("captions_per_image", &SampleSettings::captions_per_image,
             {.acts_in = kRetrieving,
              .meaning = "captions of an image per language",
              .range = {1, 1000},
              .when = is("sample.by", {"images"})});
  sample.add("captions_by_language", &SampleSettings::captions_by_language,
             {.acts_in = kRetrieving,
              .meaning = "the same for single languages: {en = 2}",
              .range = {1, 1000},
              .when = is("sample.by", {"images"})});
  sample.add("caption_pairs", &SampleSettings::caption_pairs,
             {.acts_in = {SystemKind::vse},
              .meaning = "share of batches that rank captions of two languages by each other (c2c)",
              .range = {0, 1},
              .source = "Kádár et al. 2018, Fig. 2",
              .when = is("sample.by", {"captions"})});
  sample.add("replacement", &SampleSettings::replacement,
             {.acts_in = kRetrieving,
              .meaning = "too few captions: fill (repeat some) or none",
              .when = is("sample.by", {"images"})});
  sample.add("epoch", &SampleSettings::epoch,
             {.acts_in = kRetrieving,
              .meaning = "what an epoch passes once: images, or captions (an image comes again "
                         "until each of its captions was there)",
              .source = "captions: Lee et al. 2018's code",
              .when = is("sample.by", {"images"})});
  sample.add("groups", &SampleSettings::groups,
             {.acts_in = kRetrieving,
              .meaning = "language groups, each with as many images in every batch: [[\"en\"], "
                         "[\"en\", \"ja\"]]; en alone: English only",
              .source = "MULE's batches for COCO: Kim et al. 2020",
              .when = is("sample.by", {"images"})});
}

}  // namespace hinny

#include "recipe/section.h"

namespace hinny {
namespace {

// Whose sentences can be the mean of their words, in pictures' directions.
constexpr Systems kMeans =
    Systems{SystemKind::bag, SystemKind::embn, SystemKind::vse} | kLate | kTaught;
constexpr Systems kSeeing = kRanking | Systems{SystemKind::mmt};

}  // namespace

void add_image_keys(std::vector<RecipeKey>& keys) {
  const Section<ImageSettings> image(keys, "image",
                                     [](Recipe& r) -> ImageSettings& { return r.model.image; });
  image.add("features", &ImageSettings::features,
            {.acts_in = kSeeing | kTaught,
             .meaning = "feature names joined by '+' (--features); teacher: what the pictures' "
                        "vectors are called"});
  image.add("square_root", &ImageSettings::square_root,
            {.acts_in = kSeeing, .meaning = "x -> sign(x) sqrt(abs(x)) first"});
  image.add(
      "standardise", &ImageSettings::standardise,
      {.acts_in = kSeeing, .meaning = "zero mean and unit variance over the training images"});
  image.add("hidden", &ImageSettings::hidden,
            {.acts_in = kTwoBranches | kLate,
             .meaning = "hidden layer; 0: one linear layer alone",
             .range = {0, kMostSize}});
  image.add("batch_norm", &ImageSettings::batch_norm,
            {.acts_in = kTwoBranches | kLate,
             .meaning = "batch normalisation after the hidden layer",
             .when = on("image.hidden")});
  image.add("dropout", &ImageSettings::dropout,
            {.acts_in = kTwoBranches | kLate,
             .meaning = "after the hidden layer",
             .range = {0, 0.99},
             .when = on("image.hidden")});
  image.add("input_dropout", &ImageSettings::input_dropout,
            {.acts_in = kTwoBranches | kLate, .meaning = "on the features", .range = {0, 0.99}});
  image.add("branch", &ImageSettings::branch,
            {.acts_in = kTwoBranches | kLate,
             .meaning = "shared, or per-language: languages share nothing (EmbN)"});
  image.add("start", &ImageSettings::start,
            {.acts_in = kMeans,
             .meaning = "random, or directions: the joint space is where text.vectors = pictures "
                        "has its words, so that training starts from a model that finds pictures"});
}

}  // namespace hinny

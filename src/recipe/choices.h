// The choices that a recipe makes, beside those that a model's file repeats (model/). What each
// does: the keys' meanings in recipe/keys.
#pragma once

#include "base/choice.h"

namespace hinny {

// `automatic`: bf16 where that is faster; hinny train settles it.
enum class Precision { fp32, bf16, automatic };

// text.vocabulary and image.branch: one each, or one for all languages.
enum class Sharing { per_language, shared };

// What text.vectors may be beside a folder.
enum class VectorSource { random, train, pictures };

enum class ImageStart { random, directions };

enum class LossKind { triplet, infonce };
enum class Mining { all, hardest, max, mixed };
enum class Reduction { mean, sum };
enum class Distance { cosine, euclidean, order };
enum class Positives { farthest, all };
enum class CaptionTypes { languages, sources };
enum class NeighbourChoice { own, any, pairs, both_ways };
enum class NeighbourhoodLayers { joint, mule, both };
// A loss that starts well where the hardest negatives would collapse.
enum class GentleLoss { infonce, all };
enum class PretrainLoss { infonce, all, recipe };

enum class Overlap { all, none };
enum class SampleBy { images, captions };

enum class Optimiser { adamw, adam };
enum class Schedule { constant, exponential, step, cosine };

template <>
struct Choices<Precision> {
  static constexpr Choice<Precision> all[] = {
      {Precision::fp32, "fp32"}, {Precision::bf16, "bf16"}, {Precision::automatic, "auto"}};
};

template <>
struct Choices<Sharing> {
  static constexpr Choice<Sharing> all[] = {{Sharing::per_language, "per-language"},
                                            {Sharing::shared, "shared"}};
};

template <>
struct Choices<VectorSource> {
  static constexpr Choice<VectorSource> all[] = {{VectorSource::random, "random"},
                                                 {VectorSource::train, "train"},
                                                 {VectorSource::pictures, "pictures"}};
};

template <>
struct Choices<ImageStart> {
  static constexpr Choice<ImageStart> all[] = {{ImageStart::random, "random"},
                                               {ImageStart::directions, "directions"}};
};

template <>
struct Choices<LossKind> {
  static constexpr Choice<LossKind> all[] = {{LossKind::triplet, "triplet"},
                                             {LossKind::infonce, "infonce"}};
};

template <>
struct Choices<Mining> {
  static constexpr Choice<Mining> all[] = {{Mining::all, "all"},
                                           {Mining::hardest, "hardest"},
                                           {Mining::max, "max"},
                                           {Mining::mixed, "mixed"}};
};

template <>
struct Choices<Reduction> {
  static constexpr Choice<Reduction> all[] = {{Reduction::mean, "mean"}, {Reduction::sum, "sum"}};
};

template <>
struct Choices<Distance> {
  static constexpr Choice<Distance> all[] = {
      {Distance::cosine, "cosine"}, {Distance::euclidean, "euclidean"}, {Distance::order, "order"}};
};

template <>
struct Choices<Positives> {
  static constexpr Choice<Positives> all[] = {{Positives::farthest, "farthest"},
                                              {Positives::all, "all"}};
};

template <>
struct Choices<CaptionTypes> {
  static constexpr Choice<CaptionTypes> all[] = {{CaptionTypes::languages, "languages"},
                                                 {CaptionTypes::sources, "sources"}};
};

template <>
struct Choices<NeighbourChoice> {
  static constexpr Choice<NeighbourChoice> all[] = {{NeighbourChoice::own, "own"},
                                                    {NeighbourChoice::any, "any"},
                                                    {NeighbourChoice::pairs, "pairs"},
                                                    {NeighbourChoice::both_ways, "both-ways"}};
};

template <>
struct Choices<NeighbourhoodLayers> {
  static constexpr Choice<NeighbourhoodLayers> all[] = {{NeighbourhoodLayers::joint, "joint"},
                                                        {NeighbourhoodLayers::mule, "mule"},
                                                        {NeighbourhoodLayers::both, "both"}};
};

template <>
struct Choices<GentleLoss> {
  static constexpr Choice<GentleLoss> all[] = {{GentleLoss::infonce, "infonce"},
                                               {GentleLoss::all, "all"}};
};

template <>
struct Choices<PretrainLoss> {
  static constexpr Choice<PretrainLoss> all[] = {{PretrainLoss::infonce, "infonce"},
                                                 {PretrainLoss::all, "all"},
                                                 {PretrainLoss::recipe, "recipe"}};
};

template <>
struct Choices<Overlap> {
  static constexpr Choice<Overlap> all[] = {{Overlap::all, "all"}, {Overlap::none, "none"}};
};

template <>
struct Choices<SampleBy> {
  static constexpr Choice<SampleBy> all[] = {{SampleBy::images, "images"},
                                             {SampleBy::captions, "captions"}};
};

template <>
struct Choices<Optimiser> {
  static constexpr Choice<Optimiser> all[] = {{Optimiser::adamw, "adamw"},
                                              {Optimiser::adam, "adam"}};
};

template <>
struct Choices<Schedule> {
  static constexpr Choice<Schedule> all[] = {{Schedule::constant, "constant"},
                                             {Schedule::exponential, "exponential"},
                                             {Schedule::step, "step"},
                                             {Schedule::cosine, "cosine"}};
};

}  // namespace hinny

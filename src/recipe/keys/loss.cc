#include "recipe/section.h"

namespace hinny {
namespace {

constexpr Systems kNeighbours = kSharedWords | Systems{SystemKind::embn, SystemKind::vse};

// Captions of an image are compared with each other.
Condition has_neighbourhood() {
  return on("loss.neighbourhood") || on("loss.cross_neighbourhood") || on("pretrain.epochs");
}

Condition has_hinges() { return is("loss.kind", {"triplet"}); }
Condition is_mixed() { return has_hinges() && is("loss.mining", {"mixed"}); }

}  // namespace

void add_loss_keys(std::vector<RecipeKey>& keys) {
  const Section<LossSettings> loss(keys, "loss",
                                   [](Recipe& r) -> LossSettings& { return r.model.loss; });
  loss.add("kind", &LossSettings::kind,
           {.acts_in = kRanking,
            .meaning = "hinges on a margin, or InfoNCE with a learned temperature"});
  loss.add("margin", &LossSettings::margin,
           {.acts_in = kRanking,
            .meaning = "of the hinges",
            .range = {0, kMostWeight},
            .when = has_hinges()});
  loss.add("mining", &LossSettings::mining,
           {.acts_in = kRanking,
            .meaning = "negatives: all, the hardest ones, max (the hardest), or mixed "
                       "(from all to max)",
            .source = "max: Faghri et al. 2018; mixed: Wehrmann et al. 2019",
            .when = has_hinges()});
  loss.add("hardening", &LossSettings::hardening,
           {.acts_in = kRanking,
            .meaning = "the share of max is 1 - exp(-this * share of the training done)",
            .range = {0, kMostWeight},
            .when = is_mixed() && is("loss.hardening_rate", {"0.0"})});
  loss.add(
      "hardening_rate", &LossSettings::hardening_rate,
      {.acts_in = kRanking,
       .meaning = "in batch t the share of max is 1 - (1 - this)^t, however long the training; "
                  "0: by loss.hardening",
       .range = {0, 1},
       .source = "0.001: Wehrmann et al. 2019's code",
       .when = is_mixed()});
  loss.add("hardest", &LossSettings::hardest,
           {.acts_in = kRanking,
            .meaning = "how many of the hardest negatives per anchor",
            .range = {1, 1 << 20},
            .when = has_hinges() && is("loss.mining", {"hardest"})});
  loss.add(
      "harder_negatives", &LossSettings::harder_negatives,
      {.acts_in = kRegions,
       .meaning = "an image's negative is the weighted mean of each language's hardest caption",
       .source = "Huang et al. 2020, Eq. 9 and 10"});
  loss.add("types", &LossSettings::types,
           {.acts_in = kRegions,
            .meaning = "of languages, or sources: what people and what "
                       "machines wrote in a language apart",
            .source = "Huang et al. 2020, Eq. 10",
            .when = on("loss.harder_negatives")});
  loss.add("language_weights", &LossSettings::language_weights,
           {.acts_in = kRegions,
            .meaning = "{en = 0.6, de = 0.4}; of sources also "
                       "{\"en:machine\" = 0.2}, else as en; empty: all alike",
            .range = {1e-6, kMostWeight},
            .source = "Huang et al. 2020, Eq. 9",
            .when = on("loss.harder_negatives")});
  loss.add("hinges", &LossSettings::hinges,
           {.acts_in = kRanking,
            .meaning = "over an anchor's negatives sum, or mean",
            .source = "mean: MULE's code",
            .when = has_hinges()});
  loss.add("reduction", &LossSettings::reduction,
           {.acts_in = kRanking, .meaning = "mean over anchors, or sum", .when = has_hinges()});
  loss.add(
      "distance", &LossSettings::distance,
      {.acts_in = kTwoBranches,
       .meaning = "cosine, euclidean (between unit vectors; triplet), or order (order embeddings)",
       .source = "order: Vendrov et al. 2016"});
  loss.add("temperature", &LossSettings::temperature,
           {.acts_in = kRanking,
            .meaning = "where the learned temperature starts",
            .range = {1e-6, kMostWeight},
            .when = is("loss.kind", {"infonce"}) ||
                    (on("loss.warmup_epochs") && is("loss.warmup", {"infonce"})) ||
                    (on("pretrain.epochs") && is("pretrain.loss", {"infonce"}))});
  loss.add(
      "text_to_image", &LossSettings::text_to_image,
      {.acts_in = kRanking, .meaning = "weight of captions as anchors", .range = {0, kMostWeight}});
  loss.add(
      "image_to_text", &LossSettings::image_to_text,
      {.acts_in = kRanking, .meaning = "weight of images as anchors", .range = {0, kMostWeight}});
  loss.add("mix", &LossSettings::mix,
           {.acts_in = {SystemKind::bag},
            .meaning = "a batch's pictures and captions are mixed with others of it, by a share "
                       "from Beta(mix, mix); 0: not",
            .range = {0, 100},
            .source = "Zhang et al. 2018, mixup"});
  loss.add("neighbourhood", &LossSettings::neighbourhood,
           {.acts_in = kNeighbours,
            .meaning = "weight of the neighbourhood constraint",
            .range = {0, kMostWeight},
            .source = "Kim et al. 2020, Eq. 1"});
  loss.add("neighbours", &LossSettings::neighbours,
           {.acts_in = kNeighbours,
            .meaning = "whose captions are neighbours: own (language), any, pairs (of languages, "
                       "the first as anchors), or both-ways (pairs)",
            .source = "both-ways: Gella et al. 2017, Eq. 5",
            .when = has_neighbourhood()});
  loss.add("positives", &LossSettings::positives,
           {.acts_in = kNeighbours,
            .meaning = "an anchor's farthest neighbour alone, or all",
            .source = "farthest: MULE's code; all: Kim et al. 2020, Eq. 1",
            .when = has_hinges() && has_neighbourhood()});
  loss.add("cross_neighbourhood", &LossSettings::cross_neighbourhood,
           {.acts_in = kNeighbours,
            .meaning = "weight of the constraint between two languages",
            .range = {0, kMostWeight},
            .when = is("loss.neighbours", {"pairs", "both-ways"})});
  loss.add("neighbourhood_layers", &LossSettings::neighbourhood_layers,
           {.acts_in = kSharedWords,
            .meaning = "where it holds: joint (space), mule (the words' space), or both",
            .source = "Kim et al. 2020, Eq. 1",
            .when = on("loss.neighbourhood") || on("loss.cross_neighbourhood")});
  loss.add("adversary", &LossSettings::adversary,
           {.acts_in = kSharedWords,
            .meaning = "weight of the language classifier",
            .range = {0, kMostWeight},
            .source = "Kim et al. 2020, Eq. 2"});
  loss.add("word_drift", &LossSettings::word_drift,
           {.acts_in = kSharedWords,
            .meaning = "weight of word vectors' distance from their start",
            .range = {0, kMostWeight},
            .source = "Kim et al. 2020, Eq. 4"});
  loss.add("masked", &LossSettings::masked,
           {.acts_in = {SystemKind::smalr},
            .meaning = "weight of the masked cross-language model (MCLM)",
            .range = {0, kMostWeight},
            .source = "Burns et al. 2020, Eq. 2"});
  loss.add("mask_share", &LossSettings::mask_share,
           {.acts_in = {SystemKind::smalr},
            .meaning = "share of the words that are masked",
            .range = {0, 1},
            .when = on("loss.masked")});
  loss.add("masked_ranking", &LossSettings::masked_ranking,
           {.acts_in = {SystemKind::smalr},
            .meaning = "weight of masked captions against images",
            .range = {0, kMostWeight},
            .source = "Burns et al. 2020, Eq. 3",
            .when = on("loss.masked")});
  loss.add(
      "warmup_epochs", &LossSettings::warmup_epochs,
      {.acts_in = kRanking, .meaning = "epochs with the warm-up loss first", .range = {0, 1e6}});
  loss.add("warmup", &LossSettings::warmup,
           {.acts_in = kRanking,
            .meaning = "which: infonce, or all (every negative)",
            .when = on("loss.warmup_epochs")});
}

}  // namespace hinny

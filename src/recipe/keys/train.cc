#include "recipe/section.h"

namespace hinny {

void add_train_keys(std::vector<RecipeKey>& keys) {
  const Section<TrainSettings> train(keys, "train",
                                     [](Recipe& r) -> TrainSettings& { return r.train; });
  train.add("epochs", &TrainSettings::epochs,
            {.acts_in = kEvery,
             .meaning = "passes over the data",
             .range = {1, 1e6},
             .when = is("train.batches", {"0"})});
  train.add("batches", &TrainSettings::batches,
            {.acts_in = kEvery,
             .meaning = "end after so many batches, within a pass if need be: one budget for "
                        "systems whose passes differ; 0: after train.epochs",
             .range = {0, kMostCount}});
  train.add(
      "more_epochs", &TrainSettings::more_epochs,
      {.acts_in = kEvery,
       .meaning = "passes after those, as hinny train --more-epochs adds them: a cosine starts "
                  "over with each number, other schedules go on",
       .range = {1, 1e6},
       .source = "Loshchilov and Hutter 2017"});
  train.add("optimiser", &TrainSettings::optimiser,
            {.acts_in = kEvery,
             .meaning = "adamw, or adam (decay in the gradient)",
             .source = "Loshchilov and Hutter 2019; Kingma and Ba 2015"});
  train.add("learning_rate", &TrainSettings::learning_rate,
            {.acts_in = kEvery, .meaning = "at its highest", .range = {0, 1e3}});
  train.add("weight_decay", &TrainSettings::weight_decay,
            {.acts_in = kEvery, .meaning = "weight decay", .range = {0, 1e3}});
  train.add("schedule", &TrainSettings::schedule,
            {.acts_in = kEvery, .meaning = "of the learning rate"});
  train.add("decay", &TrainSettings::decay,
            {.acts_in = kEvery,
             .meaning = "exponential: factor per epoch; step: factor per step",
             .range = {0, 1},
             .when = is("train.schedule", {"exponential", "step"})});
  train.add("step_epochs", &TrainSettings::step_epochs,
            {.acts_in = kEvery,
             .meaning = "epochs between steps",
             .range = {1, 1e6},
             .when = is("train.schedule", {"step"})});
  train.add("warmup_steps", &TrainSettings::warmup_steps,
            {.acts_in = kEvery,
             .meaning = "batches in which the rate rises from 0",
             .range = {0, kMostCount}});
  train.add("clip_norm", &TrainSettings::clip_norm,
            {.acts_in = kEvery,
             .meaning = "largest norm of the gradient; 0: no clipping",
             .range = {0, 1e9}});
  train.add("average", &TrainSettings::average,
            {.acts_in = kEvery,
             .meaning = "the model is the average of its weights; factor per batch, 0.995 say; 0: "
                        "the last weights",
             .range = {0, 0.999999}});
  train.add("keep", &TrainSettings::keep,
            {.acts_in = kRetrieving,
             .meaning = "where a model of --from learns from other pictures: share of its weights "
                        "in those that are kept, so that it forgets less of what it knew",
             .range = {0, 1},
             .source = "Wortsman et al. 2022"});
  train.add("validate_every", &TrainSettings::validate_every,
            {.acts_in = kEvery,
             .meaning = "batches between validations; 0: each epoch",
             .range = {0, kMostCount}});
  train.add("patience", &TrainSettings::patience,
            {.acts_in = kEvery,
             .meaning = "stop after so many validations without a better score; 0: never",
             .range = {0, kMostCount}});
  train.add(
      "best_by", &TrainSettings::best_by,
      {.acts_in = kRetrieving,
       .meaning =
           "language whose validation mR chooses the best model; empty: the mean over languages"});
  train.add("log_every", &TrainSettings::log_every,
            {.acts_in = kEvery,
             .meaning = "batches per line of metrics.jsonl",
             .range = {1, kMostCount}});
  train.add(
      "seed", &TrainSettings::seed,
      {.acts_in = kEvery, .meaning = "one seed gives one result (--seed)", .range = {0, 9e15}});
}

}  // namespace hinny

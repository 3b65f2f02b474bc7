// The recipe's table says in which systems a key acts. Here its word is tried: a key changes a
// system's losses, or its parameters, where it acts, and nothing where it does not.
#include "recipe/keys.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <torch/utils.h>

#include "base/error.h"
#include "recipe/read_recipe.h"
#include "systems/retrieval_system.h"

namespace hinny {
namespace {

constexpr Systems kSeeRegions = kRegions | kLate;
constexpr std::int64_t kWords = 24, kImages = 6, kFeatures = 12, kRegionCount = 3;

// Two captions of three words for each image, some by machines.
CaptionBatch captions(std::int64_t first) {
  std::vector<std::int64_t> ids, offsets, lengths, rows;
  for (std::int64_t i = 0; i < 2 * kImages; ++i) {
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    for (std::int64_t w = 0; w < 3; ++w)
      ids.push_back(4 + (first + 5 * i + 3 * w * w) % (kWords - 4));
    lengths.push_back(3);
    rows.push_back(i / 2);
  }
  CaptionBatch batch{at::tensor(ids), at::tensor(offsets), at::tensor(lengths), at::tensor(rows)};
  batch.by_machine = batch.rows.remainder(2) == 1;
  return batch;
}

Batch batch() {
  torch::manual_seed(3);
  return {at::rand({kImages, kFeatures}, at::kDouble),
          {{SystemLanguage{0}, captions(0)}, {SystemLanguage{1}, captions(7)}},
          {}};
}

// A small system in which every part is there that a key could change.
SystemOptions small(SystemKind system, const std::vector<std::string>& more) {
  std::vector<std::string> set = {
      "dim=8",           "text.hidden=8",        "text.encoder=gru",    "text.vectors=random",
      "text.dim=6",      "loss.kind=triplet",    "loss.mining=hardest", "loss.hardest=2",
      "loss.margin=0.7", "loss.warmup_epochs=1", "loss.warmup=infonce"};
  if (kTwoBranches.contains(system)) {
    set.insert(set.end(),
               {"image.hidden=6", "image.dropout=0.0", "image.branch=shared", "text.project=true",
                "loss.distance=cosine", "text.vocabulary=per-language"});
    if (system != SystemKind::bag) {
      set.insert(set.end(), {"loss.neighbourhood=0.5", "loss.neighbours=pairs",
                             "loss.cross_neighbourhood=0.5"});
    }
  } else if (kTaught.contains(system)) {  // its pictures are in the joint space
    set = {"dim=12",     "text.hidden=12",     "text.encoder=gru", "text.vectors=random",
           "text.dim=6", "image.start=random", "text.dropout=0.0", "text.bidirectional=false"};
  } else if (kLate.contains(system)) {
    std::erase(set, "text.hidden=8");
    set.insert(set.end(),
               {"image.start=random", "text.encoder=mean", "text.dim=8", "image.hidden=6",
                "image.dropout=0.0", "image.input_dropout=0.0", "text.dropout=0.0"});
  } else {
    set.insert(set.end(), {"loss.harder_negatives=false", "text.bidirectional=false"});
  }
  if (kSharedWords.contains(system)) {
    std::erase(set, "text.vocabulary=per-language");
    set.insert(set.end(), {"text.mule_dim=7", "pretrain.epochs=1", "pretrain.loss=all",
                           "loss.adversary=0.1", "loss.word_drift=0.1", "text.whiten=false"});
  }
  if (system == SystemKind::smalr) {
    set.insert(set.end(), {"text.latents=0", "loss.masked=0.5"});
  }
  set.insert(set.end(), more.begin(), more.end());
  return find_recipe(std::string(name_of(system)), set).model;
}

// Every parameter's size, and every loss of every stage that there is.
std::string behaviour(const SystemOptions& options) {
  SystemInput input;
  input.languages = {"en", "de"};
  input.vocabulary_sizes = {kWords, kWords};
  input.feature_dim = kFeatures;
  input.regions = kSeeRegions.contains(options.system) ? kRegionCount : 1;
  torch::manual_seed(1);
  const auto system = make_system(options, input);
  system->to(at::kDouble);  // what does not act must not show by rounding
  std::string text;
  for (const auto& item : system->named_parameters()) {
    text +=
        fmt::format("{} {} {}\n", item.key(), item.value().numel(), item.value().requires_grad());
  }
  const Batch one = batch();
  for (const Stage stage : {Stage::pretrain, Stage::warmup, Stage::full}) {
    if (stage == Stage::pretrain && options.pretrain.epochs == 0) continue;
    if (stage == Stage::warmup && options.loss.warmup_epochs == 0) continue;
    torch::manual_seed(2);
    system->set_stage(stage, {0.1, 7});
    for (const LossTerm& term : system->losses(one)) {
      if (term.weight == 0) continue;  // it is only told
      text += fmt::format("{} {} {:.6f}\n", term.name, term.weight, term.value.item<double>());
    }
  }
  return text;
}

// A value that differs from small()'s, and what has to be set besides for it to matter.
struct Change {
  std::string set;
  std::vector<std::string> with{};
};

const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {"text.word_range=0.5"},
      {"text.dropout=0.5"},
      {"text.reset=before"},
      {"text.gate_bias=1"},
      {"text.finetune=false"},
      {"image.hidden=5"},
      {"image.batch_norm=false"},
      {"image.dropout=0.5"},
      {"image.input_dropout=0.5"},
      {"image.branch=per-language"},
      {"loss.kind=infonce"},
      {"loss.margin=0.3"},
      {"loss.mining=max"},
      {"loss.hardest=3"},
      {"loss.hardening=3", {"loss.mining=mixed"}},
      {"loss.hardening_rate=0.5", {"loss.mining=mixed"}},
      {"loss.hinges=mean", {"loss.hinges=sum"}},
      {"loss.reduction=sum", {"loss.reduction=mean"}},
      {"loss.distance=euclidean"},
      {"loss.temperature=0.2"},
      {"loss.text_to_image=0.6"},
      {"loss.image_to_text=0.6"},
      {"loss.neighbourhood=0.25"},
      {"loss.neighbours=both-ways"},
      {"loss.positives=all", {"loss.positives=farthest"}},
      {"loss.cross_neighbourhood=0.25"},
      {"loss.neighbourhood_layers=mule", {"loss.neighbourhood_layers=both"}},
      {"loss.adversary=0.3"},
      {"loss.word_drift=0.3"},
      {"loss.mix=0.5"},
      {"loss.masked=0.3"},
      {"loss.mask_share=0.9"},
      {"loss.masked_ranking=0.4"},
      {"loss.warmup=all"},
      {"loss.harder_negatives=true"},
      {"loss.types=sources", {"loss.harder_negatives=true", "loss.types=languages"}},
      {"loss.language_weights={en = 0.9, de = 0.1}", {"loss.harder_negatives=true"}},
      {"attention.direction=image-to-text"},
      {"attention.norm=softmax"},
      {"attention.pooling=mean"},
      {"attention.lambda_softmax=4"},
      {"attention.lambda_lse=3"},
      {"pretrain.loss=infonce"},
      {"teacher.squares=0.3"},
      {"teacher.contrast=0.3"},
      {"teacher.temperature=0.7"},
  };
  return all;
}

const RecipeKey& key_of(const std::string& assignment) {
  const std::string name = assignment.substr(0, assignment.find('='));
  return *std::ranges::find(recipe_keys(), name, &RecipeKey::name);
}

class SystemKeys : public testing::TestWithParam<SystemKind> {};

TEST_P(SystemKeys, ActWhereTheTableSaysAndNowhereElse) {
  for (const Change& change : changes()) {
    const RecipeKey& key = key_of(change.set);
    std::vector<std::string> with;
    for (const std::string& one : change.with) {
      if (key_of(one).acts_in.contains(GetParam())) with.push_back(one);
    }
    Recipe before, after;
    before.model = after.model = small(GetParam(), with);
    set_key(after, change.set);  // which is not refused here
    const bool acts = behaviour(before.model) != behaviour(after.model);
    EXPECT_EQ(acts, key.acts_in.contains(GetParam())) << change.set;
  }
}

// What makes a key idle by its condition, and nothing that it says then changes anything.
TEST_P(SystemKeys, DoNothingWhereTheirConditionSaysSo) {
  const std::vector<Change> idle = {
      {"loss.margin=0.3", {"loss.kind=infonce"}},
      {"loss.mining=max", {"loss.kind=infonce"}},
      {"loss.hardest=3", {"loss.mining=max"}},
      {"loss.hardest=3", {"loss.kind=infonce"}},
      {"loss.hardening=3", {"loss.mining=hardest"}},
      {"loss.hardening=3", {"loss.mining=mixed", "loss.hardening_rate=0.1"}},
      {"loss.hardening_rate=0.1", {"loss.mining=hardest"}},
      {"loss.hinges=mean", {"loss.kind=infonce", "loss.hinges=sum"}},
      {"loss.reduction=sum", {"loss.kind=infonce", "loss.reduction=mean"}},
      {"loss.temperature=0.2", {"loss.warmup_epochs=0", "pretrain.epochs=0"}},
      {"loss.temperature=0.2", {"loss.warmup=all"}},
      {"loss.neighbours=both-ways",
       {"loss.neighbourhood=0", "loss.cross_neighbourhood=0", "pretrain.epochs=0"}},
      {"loss.positives=all", {"loss.kind=infonce", "loss.positives=farthest"}},
      {"loss.cross_neighbourhood=0.25", {"loss.neighbours=own"}},
      {"loss.neighbourhood_layers=mule",
       {"loss.neighbourhood=0", "loss.cross_neighbourhood=0", "loss.neighbourhood_layers=both"}},
      {"loss.mask_share=0.9", {"loss.masked=0"}},
      {"loss.masked_ranking=0.4", {"loss.masked=0"}},
      {"loss.warmup=all", {"loss.warmup_epochs=0"}},
      {"loss.types=sources", {"loss.harder_negatives=false", "loss.types=languages"}},
      {"loss.language_weights={en = 0.9, de = 0.1}", {"loss.harder_negatives=false"}},
      {"attention.lambda_lse=3", {"attention.pooling=mean"}},
      {"pretrain.loss=infonce", {"pretrain.epochs=0"}},
      {"image.batch_norm=false", {"image.hidden=0"}},
      {"image.dropout=0.5", {"image.hidden=0"}},
      {"text.hidden=5", {"text.encoder=mean"}},
      {"text.bidirectional=true", {"text.encoder=mean", "text.bidirectional=false"}},
      {"text.gate_bias=1", {"text.encoder=mean"}},
      {"text.reset=before", {"text.encoder=lstm"}},
      {"teacher.temperature=0.7", {"teacher.contrast=0"}},
  };
  for (const Change& change : idle) {
    const RecipeKey& key = key_of(change.set);
    if (!key.acts_in.contains(GetParam())) continue;
    std::vector<std::string> with;
    for (const std::string& one : change.with) {
      if (key_of(one).acts_in.contains(GetParam())) with.push_back(one);
    }
    if (with.empty()) continue;
    Recipe before, after;
    try {
      before.model = after.model = small(GetParam(), with);
    } catch (const InputError&) {
      continue;  // a system that cannot be so: san without a recurrent encoder
    }
    if (!key.is_idle(before)) continue;
    set_key(after, change.set);
    EXPECT_EQ(behaviour(before.model), behaviour(after.model))
        << change.set << " with " << testing::PrintToString(with);
  }
}

TEST_P(SystemKeys, RegionsAreReadByTheSystemsThatSaySo) {
  SystemInput input{{"en"}, {kWords}, kFeatures};
  input.regions = kSeeRegions.contains(GetParam()) ? kRegionCount : 1;
  const auto system = make_system(small(GetParam(), {}), input);
  EXPECT_EQ(system->reads_regions(), kSeeRegions.contains(GetParam()));
  EXPECT_EQ(system->pretrains(), key_of("pretrain.epochs=").acts_in.contains(GetParam()));
}

std::vector<SystemKind> retrieving() {
  std::vector<SystemKind> all;
  for (const auto& [system, name] : Choices<SystemKind>::all) {
    if (!translates(system)) all.push_back(system);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(EverySystem, SystemKeys, testing::ValuesIn(retrieving()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(MakeSystem, MakesNoneThatTranslates) {
  SystemOptions options;
  options.system = SystemKind::nmt;
  EXPECT_THROW(make_system(options, {}), Failure);
}

}  // namespace
}  // namespace hinny

// A small one of every system and loss, for tests that hold for all of them.
#pragma once

#include <ATen/ops/zeros_like.h>

#include <map>
#include <string>
#include <vector>

#include "tests/small_system.h"

namespace hinny {

struct SystemCase {
  using Keys = SmallSystem::Keys;

  std::string name;
  Keys keys;
  std::vector<Stage> stages = {Stage::full};

  SmallSystem make() const {
    const std::string system = name.substr(0, name.find('_'));
    const bool regions = system == "san" || system == "dan" || system == "scan" || system == "late";
    SmallSystem small(keys, {"en", "de"}, regions ? SmallSystem::kRegions : 1);
    for (auto& entry : small.batch.languages) {
      entry.captions.by_machine = entry.captions.rows == 1;
    }
    return small;
  }
};

struct Learnt {
  double loss = 0;
  std::map<std::string, torch::Tensor> gradients;  // by parameter; zeros where none came
};

// The loss of the small system's batch, and what it leaves for the optimiser of a `parts`-th of it.
inline Learnt learn(SmallSystem& small, Stage stage, int parts = 1) {
  small.system->train();
  small.system->set_stage(stage, {0.5});
  const torch::Tensor loss = total_loss(small.losses());
  (loss / parts).backward();
  Learnt learnt{loss.item<double>(), {}};
  for (const auto& item : small.system->named_parameters()) {
    if (!item.value().requires_grad()) continue;
    const torch::Tensor gradient = item.value().grad();
    learnt.gradients[item.key()] =
        gradient.defined() ? gradient.detach().contiguous() : at::zeros_like(item.value());
  }
  return learnt;
}

inline void PrintTo(const SystemCase& value, std::ostream* out) { *out << value.name; }

inline std::vector<SystemCase> system_cases() {
  using Keys = SystemCase::Keys;

  const Keys triplet = {"loss.kind=triplet", "loss.margin=0.4", "loss.temperature=0.2"};
  const Keys infonce = {"loss.kind=infonce", "loss.temperature=0.2"};
  const Keys with_norm = {"image.hidden=6", "image.batch_norm=true"};
  const Keys mule = {"system=mule",
                     "text.mule_dim=6",
                     "text.vocabulary=per-language",
                     "text.encoder=lstm",
                     "loss.adversary=0.5",
                     "loss.word_drift=0.1",
                     "loss.neighbourhood=0.3",
                     "loss.cross_neighbourhood=0.2",
                     "loss.neighbours=both-ways"};
  const Keys region = {"text.encoder=gru", "text.bidirectional=true", "text.project=false",
                       "loss.mining=max"};
  const auto all_of = [](const std::vector<Keys>& parts) {
    Keys keys;
    for (const Keys& part : parts) keys = SmallSystem::joined(keys, part);
    return keys;
  };
  std::vector<SystemCase> all;
  for (const auto& [loss, keys] : std::map<std::string, Keys>{
           {"triplet", triplet},
           {"hardest", all_of({triplet, {"loss.mining=max", "loss.reduction=sum"}})},
           {"topk",
            all_of({triplet, {"loss.mining=hardest", "loss.hardest=2", "loss.hinges=mean"}})},
           {"infonce", infonce}}) {
    all.push_back(
        {"embn_" + loss,
         all_of(
             {{"system=embn", "text.encoder=mean", "loss.neighbourhood=0.5"}, with_norm, keys})});
    all.push_back({"vse_" + loss, all_of({{"system=vse", "text.encoder=gru"}, keys})});
    all.push_back({"bag_" + loss, all_of({{"system=bag", "text.encoder=mean"}, with_norm, keys})});
    all.push_back(
        {"mule_" + loss, all_of({mule, with_norm, keys}), {Stage::pretrain, Stage::full}});
    all.push_back({"smalr_" + loss,
                   all_of({mule,
                           with_norm,
                           keys,
                           {"system=smalr", "loss.masked=0.5", "loss.mask_share=1",
                            "loss.masked_ranking=0.5"}}),
                   {Stage::full}});
    for (const std::string system : {"san", "dan", "scan"}) {
      all.push_back({system + "_" + loss, all_of({{"system=" + system}, region, keys})});
    }
    all.push_back({"late_" + loss,
                   all_of({{"system=late", "text.encoder=mean", "text.dim=8"}, with_norm, keys})});
  }
  for (const std::string system : {"san", "scan"}) {
    all.push_back({system + "_harder",
                   all_of({{"system=" + system, "loss.harder_negatives=true"}, region, triplet})});
  }
  all.push_back(
      {"order", all_of({{"system=vse", "text.encoder=gru", "loss.distance=order"}, triplet})});
  all.push_back({"liwe", all_of({{"system=vse", "text.encoder=gru", "text.characters=3",
                                  "text.most_characters=4", "loss.neighbours=both-ways",
                                  "loss.cross_neighbourhood=1"},
                                 triplet,
                                 {"loss.mining=mixed"}})});
  all.push_back({"images_per_language",
                 all_of({{"system=embn", "text.encoder=mean", "image.branch=per-language"},
                         with_norm,
                         triplet})});
  return all;
}

}  // namespace hinny

// A system on its data: everything that training and evaluation work on.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "retrieval/hubs.h"
#include "training/experiment/prepared_data.h"
#include "training/experiment/tensor_file.h"
#include "training/experiment/warnings.h"

namespace hinny {

// The builder refers to the data, so an experiment stays where it was made.
struct Experiment : PreparedData {
  std::shared_ptr<RetrievalSystem> system;  // on the builder's device
  BatchBuilder builder;
  std::optional<HubBank> hubs{};  // of a trained system: its scores are corrected by it
  // Of a trained system that goes on learning: what its model held, of which train.keep says how
  // much is kept. Empty of every other.
  NamedTensors began_with{};
  Warnings warnings{};

  Experiment(PreparedData data, std::shared_ptr<RetrievalSystem> system, torch::Device device);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
};

}  // namespace hinny

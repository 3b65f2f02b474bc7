// A system on its data: everything that training and evaluation work on.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "training/prepared_data.h"

namespace hinny {

// The builder refers to the data, so an experiment stays where it was made.
struct Experiment : PreparedData {
  std::shared_ptr<RetrievalSystem> system;  // on the builder's device
  BatchBuilder builder;

  Experiment(PreparedData data, std::shared_ptr<RetrievalSystem> system, torch::Device device);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
};

struct ParameterCounts {
  std::int64_t train = 0;   // numbers that training changes
  std::int64_t search = 0;  // numbers that a query needs: the text side
  // The trained ones by what they are: words, space (from words into a shared space), sentence,
  // image, and other (what only the loss needs).
  std::map<std::string, std::int64_t> parts;
};
ParameterCounts count_parameters(const RetrievalSystem& system);

}  // namespace hinny

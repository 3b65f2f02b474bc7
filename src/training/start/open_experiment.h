// A trained system on some data.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "training/experiment/experiment.h"

namespace hinny {

// How a run's system is opened on some data.
struct OpenOptions {
  std::vector<std::string> languages{};  // empty: all of the run's (or all that are translated)
  std::string features{};                // empty: those of the training
  torch::Device device = torch::Device(torch::kCPU);
  // Translate-the-query: captions of `split` in other languages than `into`, one of the run's, are
  // replaced by their translations from this folder, and all are read as `into`. Empty: none.
  std::filesystem::path translations{};
  std::string into{};
  std::string split{};
  bool hubs = true;  // corrects scores where the run remembers how
};

// The trained system of a run folder on some data. Throws InputError when the run lacks a language
// or a file does not fit.
std::unique_ptr<Experiment> open_experiment(const std::filesystem::path& run,
                                            const std::filesystem::path& data,
                                            const OpenOptions& options = {});

}  // namespace hinny

// What `hinny eval` is asked for, and the ways in which it answers: a file for each, or for some.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "training/start/open_experiment.h"

namespace hinny {

struct EvalArguments {
  std::string run;
  std::string data;
  std::string split = "test";
  std::string features;
  std::vector<std::string> languages;
  std::vector<std::string> with;  // other runs, whose scores are averaged with this one's
  std::vector<double> weights;    // of this one's and theirs
  std::string against;            // another run, which this one is compared with
  int folds = 1;
  std::string device = "cpu";
  std::string translations;
  std::string into;
  std::string clc;
  std::string clc_split = "val";
  bool keep = false;
  std::string hubs = "on";
  std::size_t hard = 0;
  std::size_t rerank = 0;
  std::string regions;
  std::optional<std::int64_t> beam;
  std::string rankings;
  bool json = false;
  bool markdown = false;
};

// Each measures, prints on stdout and returns the exit code. `data` is the dataset's folder, `open`
// how the runs are opened on it. Each throws InputError for what does not fit together.

int eval_recall(const EvalArguments& arguments, const std::filesystem::path& data,
                const OpenOptions& open);
// --with: by the mean of several runs' scores.
int eval_together(const EvalArguments& arguments, const std::filesystem::path& data,
                  OpenOptions open);
// --rerank: with the re-ranking model that the run holds.
int eval_reranked(const EvalArguments& arguments, const std::filesystem::path& data,
                  OpenOptions open);
// --hard: in place of recall, the captions whose image no run finds.
int eval_hard(const EvalArguments& arguments, const std::filesystem::path& data,
              const OpenOptions& open);
// --clc: each query scored together with its translations.
int eval_consistent(const EvalArguments& arguments, const std::filesystem::path& data,
                    const OpenOptions& open);
// --against: both runs on the captions of the split, in the languages that are asked for, else in
// those that both know; says on stderr which are left out.
int eval_against(const EvalArguments& arguments, const std::filesystem::path& data,
                 OpenOptions open);
// A model that translates: how well it does so, by direction.
int eval_translation(const EvalArguments& arguments, torch::Device device);

// A table in the form that is asked for, on stdout.
template <typename Table>
int print_table(const Table& table, const EvalArguments& arguments) {
  print_lines(stdout, arguments.json ? as_json(table) + "\n"
                                     : (arguments.markdown ? as_markdown(table) : as_text(table)));
  return 0;
}

}  // namespace hinny

#include "training/loop/checkpoint.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/folders.h"
#include "base/safetensors.h"
#include "training/experiment/tensor_file.h"

namespace hinny {
namespace {

constexpr const char* kModel = "model.";

[[noreturn]] void throw_no_state(const std::filesystem::path& file) {
  throw InputError(file, "no training state in it", "a checkpoint that hinny train wrote");
}

// Discarded where there is none.
nlohmann::json state_json(const std::map<std::string, std::string>& metadata) {
  const auto text = metadata.find("state");
  if (text == metadata.end()) return {};
  return nlohmann::json::parse(text->second, nullptr, /*allow_exceptions=*/false);
}

TrainingState state_of(const nlohmann::json& json, const std::filesystem::path& file) {
  TrainingState state;
  try {
    state.step = json.at("step");
    state.best_score = json.at("best_score");
    state.best_step = json.at("best_step");
    state.validations_since_best = json.at("validations_since_best");
    state.finished = json.at("finished");
    state.seconds = json.at("seconds");
    state.seen = json.value("seen", -1.0);
    const auto block = json.at("block").get<std::array<double, 4>>();
    state.block = {block[0], block[1], block[2], static_cast<std::int64_t>(block[3])};
    // Earlier versions wrote none of these.
    if (json.contains("exchanged")) json.at("exchanged").get_to(state.block.exchanged);
    if (json.contains("ends")) json.at("ends").get_to(state.ends);
    if (json.contains("data")) json.at("data").get_to(state.data);
  } catch (const nlohmann::json::exception&) {
    throw_no_state(file);
  }
  return state;
}

}  // namespace

std::filesystem::path checkpoint_file(const std::filesystem::path& run) {
  return run / "checkpoint" / "last.safetensors";
}

void write_checkpoint(const std::filesystem::path& run, const torch::nn::Module& model,
                      const Adam& adam, const WeightAverage& average, const TrainingState& state) {
  NamedTensors tensors = adam.state();
  tensors.merge(average.state());
  for (const auto& [name, tensor] : tensors_of(model)) tensors[kModel + name] = tensor;
  nlohmann::json json = {{"step", state.step},
                         {"best_score", state.best_score},
                         {"best_step", state.best_step},
                         {"validations_since_best", state.validations_since_best},
                         {"finished", state.finished},
                         {"seconds", state.seconds},
                         {"seen", state.seen},
                         {"block",
                          {state.block.loss, state.block.units, state.block.seconds,
                           static_cast<double>(state.block.steps)}},
                         {"exchanged", state.block.exchanged},
                         {"adam_steps", adam.steps()},
                         {"ends", state.ends},
                         {"data", state.data}};
  create_folder(checkpoint_file(run).parent_path());
  write_tensors(checkpoint_file(run), tensors, {{"state", json.dump()}});
}

TrainingState read_progress(const std::filesystem::path& run) {
  const std::filesystem::path file = checkpoint_file(run);
  return state_of(state_json(SafetensorsFile::open(file).metadata()), file);
}

TrainingState restore_checkpoint(const TensorFile& stored, const std::filesystem::path& file,
                                 TrainingTask& task, Adam& adam, WeightAverage& average) {
  const nlohmann::json json = state_json(stored.metadata);
  TrainingState state = state_of(json, file);
  if (!json.contains("adam_steps")) throw_no_state(file);
  task.fit_sizes(stored.tensors, kModel);
  adam.reset();
  adam.load(stored.tensors, json.at("adam_steps"));
  average.load(stored.tensors);
  load_tensors(task.model(), stored.tensors, kModel, file);
  return state;
}

}  // namespace hinny

#include "tokenizer/tokenizer_description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "base/error.h"

namespace hinny {
namespace {

std::vector<Step> read_steps(const nlohmann::json& list) {
  std::vector<Step> steps;
  for (const auto& item : list) {
    auto words = item.get<std::vector<std::string>>();
    Step step{words.at(0), {}};
    step.options.assign(words.begin() + 1, words.end());
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

TokenizerDescription read_tokenizer_description(const std::filesystem::path& path,
                                                const SafetensorsFile& file) {
  const auto found = file.metadata().find("tokenizer");
  if (found == file.metadata().end()) throw InputError(path, "no tokenizer", "a tokenizer's file");
  try {
    const auto json = nlohmann::json::parse(found->second);
    if (json.at("version").get<std::int64_t>() != 1) {
      throw InputError(path, fmt::format("version {}", json.at("version").dump()),
                       "version 1: a newer Hinny wrote it");
    }
    const auto model = json.at("model").get<std::int64_t>();
    if (model < 0 || model > static_cast<std::int64_t>(PieceModel::longest_first)) {
      throw InputError(path, fmt::format("model {}", model), "one that this version knows");
    }
    return {{static_cast<PieceModel>(model), json.at("unknown").get<std::int32_t>(),
             json.at("unknown_score").get<double>(), json.at("highest_score").get<double>(),
             json.at("joins_unknown").get<bool>(), json.at("falls_back_to_bytes").get<bool>(),
             json.at("whole_words_first").get<bool>(), json.at("float32_sums").get<bool>(),
             json.at("continuing").get<std::string>(), json.at("ending").get<std::string>(),
             json.at("longest_word").get<std::int64_t>()},
            read_steps(json.at("normalisers")),
            read_steps(json.at("splitters")),
            json.at("before").get<std::vector<std::int32_t>>(),
            json.at("after").get<std::vector<std::int32_t>>(),
            json.at("padding").get<std::int32_t>()};
  } catch (const nlohmann::json::exception&) {
  } catch (const std::out_of_range&) {
  }
  throw InputError(path, "a broken description", "what Hinny wrote");
}

}  // namespace hinny

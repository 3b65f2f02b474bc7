// For tests: a small model with random numbers, to be changed and written.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/random.h"
#include "base/safetensors.h"
#include "encoder/model.h"
#include "text/vocabulary.h"

namespace hinny {

struct ModelFixture {
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
  };
  nlohmann::json config;
  std::map<std::string, Tensor> tensors;
  Vocabularies vocabularies;

  // Languages en and de, word vectors of 5, dim 6, features "f" of 7 numbers, mean encoder.
  explicit ModelFixture(std::uint64_t seed = 1) : random_(seed) {
    const std::map<std::string, std::vector<std::string>> words = {
        {"de", {"ein", "hund", "läuft", "am", "strand"}},
        {"en", {"a", "dog", "runs", "on", "the", "beach", "am"}}};
    config = {{"format", 1},
              {"system", "bag"},
              {"languages", {"de", "en"}},
              {"dim", 6},
              {"features",
               {{"names", "f"},
                {"parts", {{{"name", "f"}, {"dim", 7}}}},
                {"square_root", true},
                {"standardise", true}}},
              {"tokenizer", {{"given", false}, {"max_words", 0}}},
              {"image",
               {{"image",
                 {{"layers",
                   {{{"kind", "linear"}, {"prefix", "image.fc"}},
                    {{"kind", "batch_norm"}, {"prefix", "image.norm"}},
                    {{"kind", "relu"}},
                    {{"kind", "linear"}, {"prefix", "image.out"}},
                    {{"kind", "l2"}}}}}}}},
              {"parameters", {{"train", 100}, {"search", 50}}}};
    for (const auto& [language, list] : words) {
      for (const std::string& word : list) {
        const auto rank = vocabularies[language].size() - kFirstWord;
        vocabularies[language].add(word, 100 / (rank + 1));
      }
      add("text_" + language + ".words", {vocabularies[language].size(), 5});
      config["text"][language] = {{"vocabulary", language},
                                  {"unknown", "drop"},
                                  {"markers", false},
                                  {"words", "text_" + language + ".words"},
                                  {"space", "image"}};
      set_encoder(language, {{"kind", "mean"}, {"input", 5}}, 5);
    }
    add("features.mean", {7});
    add("features.scale", {7});
    add("image.fc.weight", {19, 7});
    add("image.fc.bias", {19});
    for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
      add(std::string("image.norm.") + name, {19});
    }
    for (float& number : tensors["image.norm.running_var"].numbers) number = number * number;
    add("image.out.weight", {6, 19});
    add("image.out.bias", {6});
  }

  void add(const std::string& name, std::vector<std::int64_t> shape) {
    std::int64_t size = 1;
    for (const std::int64_t side : shape) size *= side;
    std::vector<float> numbers(static_cast<std::size_t>(size));
    for (float& number : numbers) number = static_cast<float>(random_.uniform(-1, 1));
    tensors[name] = {std::move(shape), std::move(numbers)};
  }

  // Gives the language this encoder, its tensors, and a linear layer from `output` to 6.
  void set_encoder(const std::string& language, nlohmann::json encoder, std::int64_t output) {
    const std::string prefix = "text_" + language;
    if (encoder["kind"] != "mean") {
      encoder["prefix"] = prefix + ".encoder";
      const auto hidden = encoder["hidden"].get<std::int64_t>();
      const std::int64_t gates = (encoder["kind"] == "lstm" ? 4 : 3) * hidden;
      for (const char* suffix : {"", "_reverse"}) {
        if (*suffix != '\0' && !encoder.value("bidirectional", false)) break;
        add(prefix + ".encoder.weight_ih_l0" + suffix, {gates, encoder["input"]});
        add(prefix + ".encoder.weight_hh_l0" + suffix, {gates, hidden});
        add(prefix + ".encoder.bias_ih_l0" + suffix, {gates});
        add(prefix + ".encoder.bias_hh_l0" + suffix, {gates});
      }
    }
    add(prefix + ".fc.weight", {6, output});
    add(prefix + ".fc.bias", {6});
    config["text"][language]["encoder"] = encoder;
    config["text"][language]["layers"] = {{{"kind", "linear"}, {"prefix", prefix + ".fc"}},
                                          {{"kind", "l2"}}};
  }

  // The config's key alone.
  void say_attends(double lambda_lse = 6) {
    config["attention"] = {{"direction", "text-to-image"},
                           {"norm", "clipped-l2"},
                           {"pooling", "lse"},
                           {"lambda_softmax", 9},
                           {"lambda_lse", lambda_lse}};
  }

  // Words and regions compare one by one; each number of the features is a region.
  void attend() {
    for (const auto& [language, words] : vocabularies) {
      nlohmann::json encoder = {{"kind", "gru"},         {"input", 5},       {"hidden", 4},
                                {"bidirectional", true}, {"reset", "after"}, {"output", "words"}};
      set_encoder(language, std::move(encoder), 4);
      config["text"][language]["layers"].push_back({{"kind", "mean"}});
    }
    config["features"]["regions"] = 7;
    add("image.fc.weight", {19, 1});
    config["image"]["image"]["layers"].push_back({{"kind", "mean"}});
    say_attends();
  }

  void write(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    write_file(folder / kConfigFile, config.dump(2));
    write_vocabularies(folder / kVocabularyFile, vocabularies);
    std::map<std::string, TensorView> views;
    for (const auto& [name, tensor] : tensors) {
      views[name] = {TensorType::float32, tensor.shape, std::as_bytes(std::span(tensor.numbers))};
    }
    write_safetensors(folder / kWeightsFile, views);
  }

 private:
  Random random_;
};

}  // namespace hinny

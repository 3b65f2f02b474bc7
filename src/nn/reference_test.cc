// Every loss against an independent computation in PyTorch: tests/reference/losses.py made the
// numbers in losses.json.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "nn/info_nce.h"
#include "nn/language_classifier.h"
#include "nn/layers.h"
#include "nn/masking.h"
#include "nn/neighbourhood.h"
#include "nn/text_tower.h"
#include "nn/triplet.h"

namespace hinny {
namespace {

using nlohmann::json;

class Reference {
 public:
  Reference()
      : json_(json::parse(read_file(std::filesystem::path(__FILE__).parent_path() /
                                    "../../tests/reference/losses.json"))) {}

  const json& cases() const { return json_["cases"]; }
  torch::Tensor rows(const char* name) const {
    return at::tensor(json_[name].get<std::vector<std::int64_t>>());
  }
  // Puts an input's numbers into a parameter, whose gradient can be asked for afterwards.
  void put(const std::string& name, const torch::Tensor& parameter) {
    const torch::NoGradGuard no_gradient;
    parameter.copy_(input(name));
    leaves_[name] = parameter;
  }
  // A fresh leaf, float64, whose gradient can be asked for afterwards.
  torch::Tensor input(const std::string& name) {
    const json& entry = json_["inputs"][name];
    torch::Tensor leaf = at::tensor(entry["numbers"].get<std::vector<double>>(), at::kDouble)
                             .view(entry["shape"].get<std::vector<std::int64_t>>());
    return leaves_[name] = leaf.set_requires_grad(true);
  }
  torch::Tensor unit(const std::string& name) { return unit_rows(input(name)); }

  void expect(const json& one, const torch::Tensor& value) {
    const auto wanted_value = one["value"].get<double>();
    // Relative: the temperature's parameter starts as a float.
    EXPECT_NEAR(value.item<double>() / wanted_value, 1.0, 1e-8) << one["name"];
    value.backward();
    for (const auto& [name, numbers] : one["gradients"].items()) {
      const auto wanted = at::tensor(numbers.get<std::vector<double>>(), at::kDouble);
      const torch::Tensor found = leaves_.at(name).grad().flatten();
      EXPECT_LT((found - wanted).abs().max().item<double>(), 1e-7) << one["name"] << " " << name;
    }
  }

 private:
  json json_;
  std::map<std::string, torch::Tensor> leaves_;
};

template <Named Enum>
Enum chosen(const json& given, const char* key, Enum otherwise) {
  if (!given.contains(key)) return otherwise;
  return choice_of<Enum>(given[key].get<std::string>()).value();
}

LossOptions options_of(const json& given) {
  LossOptions options;
  options.margin = given.value("margin", options.margin);
  options.mining = chosen(given, "mining", options.mining);
  options.hardest = given.value("hardest", options.hardest);
  options.reduction = chosen(given, "reduction", options.reduction);
  options.distance = chosen(given, "distance", options.distance);
  options.text_to_image = given.value("text_to_image", 1.0);
  options.image_to_text = given.value("image_to_text", 1.0);
  options.temperature = given.value("temperature", options.temperature);
  return options;
}

torch::Tensor retrieval_loss(Reference& reference, const LossOptions& options) {
  const auto loss = make_loss(options);
  loss->to(at::kDouble);
  return loss->forward(reference.unit("images"), reference.unit("a"), reference.rows("rows_a"));
}

torch::Tensor neighbours(Reference& reference, const std::string& kind,
                         const LossOptions& options) {
  const Neighbours a{reference.unit("a"), reference.rows("rows_a")};
  if (kind == "neighbourhood_own") return neighbourhood_loss(a, options);
  const Neighbours b{reference.unit("b"), reference.rows("rows_b")};
  if (kind == "neighbourhood_cross") return neighbourhood_loss(a, b, options);
  return neighbourhood_loss(pooled({a, b}), options);
}

torch::Tensor adversary(Reference& reference, double strength) {
  LanguageClassifier classifier(7, 2);
  classifier.to(at::kDouble);
  reference.put("classifier_weight", classifier.named_parameters()["fc.weight"]);
  reference.put("classifier_bias", classifier.named_parameters()["fc.bias"]);
  return classifier.forward({reference.input("space_a"), reference.input("space_b")}, {0, 1},
                            strength);
}

torch::Tensor masking(Reference& reference) {
  CrossLanguageMasking masking(7, 7);
  masking.to(at::kDouble);
  reference.put("missing_weight", masking.named_parameters()["averaged.weight"]);
  reference.put("missing_bias", masking.named_parameters()["averaged.bias"]);
  return masking.averaged(
      {reference.input("space_a"), reference.input("masked_a"), reference.rows("rows_a")},
      {reference.input("space_b"), reference.input("masked_b"), reference.rows("rows_b")});
}

torch::Tensor word_drift(Reference& reference) {
  TextTowerOptions options;
  options.vocabulary = 9;
  options.word_dim = options.head.encoder.input = 3;
  options.head.output = 2;
  options.store_start = true;
  TextTower tower(options);
  tower.to(at::kDouble);
  tower.set_words(reference.input("words_start").detach());
  reference.put("words", tower.named_parameters()["words"]);
  return tower.word_drift();
}

TEST(Reference, EveryLossAgreesWithPyTorch) {
  Reference reference;
  std::map<std::string, int> seen;
  for (const json& one : reference.cases()) {
    const std::string kind = one["kind"];
    LossOptions options = options_of(one["options"]);
    ++seen[kind];
    if (const auto ranking = choice_of<LossKind>(kind)) {
      options.kind = *ranking;
      reference.expect(one, retrieval_loss(reference, options));
    } else if (kind.starts_with("neighbourhood")) {
      if (kind == "neighbourhood_infonce") options.kind = LossKind::infonce;
      reference.expect(one, neighbours(reference, kind, options));
    } else if (kind == "adversary") {
      reference.expect(one, adversary(reference, one["options"]["strength"]));
    } else if (kind == "masking") {
      reference.expect(one, masking(reference));
    } else if (kind == "word_drift") {
      reference.expect(one, word_drift(reference));
    } else if (kind == "pair_ranking") {
      options.mining = Mining::max;
      options.reduction = Reduction::sum;
      const torch::Tensor pairs = at::tensor({0, 1, 2, 3}, at::kLong);
      reference.expect(one, make_loss(options)->forward(reference.unit("images"),
                                                        reference.unit("b").slice(0, 0, 4), pairs));
    } else {
      ADD_FAILURE() << "nothing computes " << kind;
    }
  }
  EXPECT_EQ(seen.size(), 10U);
}

}  // namespace
}  // namespace hinny

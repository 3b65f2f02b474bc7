// What people and what machines wrote in a language as two types of captions (Huang et al. 2020,
// Eq. 9 and 10: "English, GermanMMT, EnglishMMT").
#include <gmock/gmock.h>
#include <torch/utils.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "recipe/read_recipe.h"
#include "tests/tiny_dataset.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

using Weights = std::map<std::string, double>;

class TypesOfCaptions : public testing::Test {
 protected:
  TypesOfCaptions() {
    recipe_.model.image.features = "grid";
    recipe_.model.text.min_count = 1;
    recipe_.model.text.hidden = recipe_.model.dim = 16;
  }

  // One of the two English captions of every picture is a machine's, and no German one.
  void let_a_machine_write() const {
    const auto file = data_.folder() / "captions.jsonl";
    std::string text = read_file(file);
    const std::string by_people = R"( there","source":"human-original")";
    const std::string german = R"("lang":"de")";
    for (auto at = text.find(by_people); at != std::string::npos; at = text.find(by_people, at)) {
      const auto line = text.rfind('\n', at) + 1;
      const bool leave = text.substr(line, at - line).find(german) != std::string::npos;
      if (!leave) text.replace(at, by_people.size(), R"( there","source":"mmt")");
      at += 1;
    }
    write_file(file, text);
  }

  double loss(CaptionTypes types, const Weights& weights) {
    recipe_.model.loss.types = types;
    recipe_.model.loss.language_weights = weights;
    e_ = new_experiment(recipe_, data_.folder(), torch::Device(torch::kCPU));
    SamplerOptions options;
    options.images_per_batch = 8;
    plan_ = sample_images(e_->dataset, train_images(e_->dataset, e_->features), options)
                ->epoch(0)
                .front();
    e_->system->set_stage(Stage::full, {0});
    const auto terms = e_->system->losses(e_->builder.build(plan_));
    EXPECT_EQ(terms.size(), 1U);
    return terms.front().value.item<double>();
  }

  struct Scored {
    std::string type;
    int row = 0;
    std::vector<double> scores;  // with each picture of the batch
  };
  std::vector<Scored> scored() {
    const torch::Tensor pictures = e_->builder.images(plan_.images);
    std::vector<Scored> all;
    for (const LanguageBatch& language : plan_.languages) {
      const torch::Tensor scores =
          e_->system->pair_scores(pictures, e_->builder.captions(language.captions, language.rows),
                                  e_->system_language[static_cast<std::size_t>(language.language)]);
      for (std::size_t c = 0; c < language.captions.size(); ++c) {
        const Caption& caption =
            e_->dataset.captions()[static_cast<std::size_t>(language.captions[c])];
        const torch::Tensor own = scores.select(1, static_cast<std::int64_t>(c)).to(at::kDouble);
        std::vector<double> row(own.numel());
        for (std::size_t i = 0; i < row.size(); ++i) {
          row[i] = own[static_cast<std::int64_t>(i)].item<double>();
        }
        const std::string name =
            e_->dataset.languages()[static_cast<std::size_t>(caption.language)];
        all.push_back({caption.source == Source::mmt ? name + ":machine" : name, language.rows[c],
                       std::move(row)});
      }
    }
    return all;
  }

  // Eq. 9, a number at a time; betas sum to 1.
  double by_hand(const Weights& betas) {
    const std::vector<Scored> captions = scored();
    double sum = 0;
    for (const Scored& t : captions) {
      const auto v = static_cast<std::size_t>(t.row);
      double caption = 0, picture = -1e9;
      for (const auto& [type, beta] : betas) {
        double hardest = -1e9;
        for (const Scored& other : captions) {
          if (other.type == type && other.row != t.row) {
            hardest = std::max(hardest, other.scores[v]);
          }
        }
        caption += beta * hardest;
      }
      for (std::size_t q = 0; q < t.scores.size(); ++q) {
        if (q != v) picture = std::max(picture, t.scores[q]);
      }
      const double margin = recipe_.model.loss.margin;
      sum += std::max(0.0, margin - t.scores[v] + caption) +
             std::max(0.0, margin - t.scores[v] + picture);
    }
    return sum;
  }

  Recipe recipe_ = find_recipe("san");
  TinyDataset data_;
  std::unique_ptr<Experiment> e_;
  BatchPlan plan_;
};

TEST_F(TypesOfCaptions, EachHasItsHardestNegativeAndItsBeta) {
  let_a_machine_write();
  const double sources = loss(CaptionTypes::sources, {});
  EXPECT_NEAR(sources, by_hand({{"en", 1.0 / 3}, {"en:machine", 1.0 / 3}, {"de", 1.0 / 3}}), 1e-3);
  const double weighed = loss(CaptionTypes::sources, {{"en", 5}, {"en:machine", 1}, {"de", 4}});
  EXPECT_NEAR(weighed, by_hand({{"en", 0.5}, {"en:machine", 0.1}, {"de", 0.4}}), 1e-3);
  EXPECT_GT(std::abs(weighed - sources), 1e-2);
  // Without a beta of its own a machine's captions have that of their language.
  EXPECT_NEAR(loss(CaptionTypes::sources, {{"en", 2}, {"de", 1}}),
              by_hand({{"en", 0.4}, {"en:machine", 0.4}, {"de", 0.2}}), 1e-3);
  EXPECT_GT(std::abs(loss(CaptionTypes::languages, {}) - sources), 1e-2);
}

TEST_F(TypesOfCaptions, AreLanguagesWhereNoMachineWrote) {
  EXPECT_EQ(loss(CaptionTypes::sources, {}), loss(CaptionTypes::languages, {}));
}

TEST_F(TypesOfCaptions, ThatDoNotExistAreRefused) {
  const auto refuses = [&](CaptionTypes types, const Weights& weights, const char* says) {
    EXPECT_THAT([&] { loss(types, weights); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(says)));
  };
  refuses(CaptionTypes::languages, {{"en", 1}, {"de", 1}, {"en:machine", 1}}, "'en:machine'");
  refuses(CaptionTypes::sources, {{"en", 1}, {"de", 1}, {"fr:machine", 1}}, "'fr:machine'");
  refuses(CaptionTypes::sources, {{"en", 1}, {"en:machine", 1}}, "without 'de'");
}

}  // namespace
}  // namespace hinny

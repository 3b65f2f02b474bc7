#include "encoder/learn_fit.h"

#include <gtest/gtest.h>

#include <fstream>

#include "encoder/model_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

// Three hundred photographs of one of ten things each. A word's vector is that of its thing, a
// photograph's nearly.
class LearnFit : public testing::Test {
 protected:
  static constexpr std::size_t kThings = 10, kImages = 300;

  void SetUp() override {
    std::filesystem::create_directories(folder_ / "data/features");
    std::ofstream images(folder_ / "data/images.jsonl"), captions(folder_ / "data/captions.jsonl"),
        ids(folder_ / "data/features/ids.txt");
    Random random(7);
    std::vector<float> rows;
    for (std::size_t i = 0; i < kImages; ++i) {
      const std::size_t thing = i % kThings;
      images << "{\"image\": \"p" << i << "\", \"split\": \"val\"}\n";
      ids << "p" << i << "\n";
      for (int twice = 0; twice < captions_; ++twice) {
        captions << "{\"image\": \"p" << i << "\", \"lang\": \"en\", \"text\": \"a thing" << thing
                 << "\", \"source\": \"human-original\"}\n";
      }
      for (std::size_t d = 0; d < kThings; ++d) {
        rows.push_back((d == thing ? 1.0F : 0.0F) + static_cast<float>(0.3 * random.normal()));
      }
    }
    write_npy(folder_ / "data/features/f.npy", rows,
              {static_cast<std::int64_t>(kImages), static_cast<std::int64_t>(kThings)});
    write_model();
  }

  void write_model() {
    using nlohmann::json;
    ModelFixture fixture;
    fixture.config["dim"] = kThings;
    fixture.config["languages"] = {"en"};
    fixture.config["features"] = {{"names", "f"},
                                  {"parts", {{{"name", "f"}, {"dim", kThings}}}},
                                  {"square_root", false},
                                  {"standardise", false}};
    fixture.config["image"] = {{"image", {{"layers", {{{"kind", "l2"}}}}}}};
    fixture.vocabularies.clear();
    fixture.vocabularies["en"].add("a", 1000);
    fixture.tensors.clear();
    std::vector<float> words((kFirstWord + 1) * kThings);  // "a" says nothing
    for (std::size_t thing = 0; thing < kThings; ++thing) {
      fixture.vocabularies["en"].add("thing" + std::to_string(thing), 100);
      for (std::size_t d = 0; d < kThings; ++d) words.push_back(d == thing ? 1.0F : 0.0F);
    }
    fixture.tensors["words"] = {
        {static_cast<std::int64_t>(kFirstWord + 1 + kThings), static_cast<std::int64_t>(kThings)},
        words};
    fixture.config["text"] = {{"en",
                               {{"vocabulary", "en"},
                                {"unknown", "drop"},
                                {"markers", false},
                                {"words", "words"},
                                {"encoder", {{"kind", "mean"}, {"input", kThings}}},
                                {"layers", {{{"kind", "l2"}}}},
                                {"space", "image"}}}};
    fixture.write(folder_ / "run");
  }

  std::optional<FitCurve> learn() {
    SetUp();
    HubBank bank{kThings, 0.1, 1, {}};
    Random random(8);
    for (std::size_t i = 0; i < 200; ++i) {
      double square = 0;
      std::vector<double> row(kThings);
      for (std::size_t d = 0; d < kThings; ++d) {
        row[d] = (d == i % kThings ? 1 : 0) + 0.3 * random.normal();
        square += row[d] * row[d];
      }
      for (const double x : row) {
        bank.spaces["image"].images.push_back(static_cast<float>(x / std::sqrt(square)));
      }
    }
    bank.spaces["image"].captions = bank.spaces["image"].images;
    const Dataset dataset = Dataset::load(folder_ / "data");
    return learn_fit(Model::open(folder_ / "run"), bank, dataset, Features::open(dataset, "f"),
                     "val");
  }

  int captions_ = 2;
  const Scratch folder_;
};

TEST_F(LearnFit, PartsTheScoresOfWhatBelongs) {
  const auto curve = learn();
  ASSERT_TRUE(curve);
  EXPECT_GT(curve->known + curve->score, 1);
  constexpr double known = 0.85;
  EXPECT_GT(curve->of(known).of(0.97), 0.8);
  EXPECT_LT(curve->of(known).of(0.3), 0.2);
}

TEST_F(LearnFit, WordsOfOneCaptionEachTellNothing) {
  captions_ = 1;
  EXPECT_FALSE(learn());
}

}  // namespace
}  // namespace hinny

#include "text/vector_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace hinny {
namespace {

double cosine(std::span<const float> a, std::span<const float> b) {
  double dot = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return dot / std::sqrt(aa * bb);
}

// Animals run and bark in parks, vehicles drive and honk in streets.
std::vector<std::string> captions() {
  const std::vector<std::string> animals = {"Hund", "Katze", "Pferd"};
  const std::vector<std::string> does = {"rennt", "springt", "schläft"};
  const std::vector<std::string> vehicles = {"Auto", "Bus", "Lkw"};
  const std::vector<std::string> drives = {"fährt", "hupt", "parkt"};
  Random random(5);
  std::vector<std::string> result;
  for (int i = 0; i < 1500; ++i) {
    result.push_back(random.pick(animals) + " " + random.pick(does) + " Wiese!");
    result.push_back(random.pick(vehicles) + " " + random.pick(drives) + " Kreuzung.");
  }
  result.emplace_back("Einhorn");
  return result;
}

TEST(VectorTraining, WordsOfOneKindComeCloseAndASeedGivesOneResult) {
  const auto texts = captions();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const VectorTrainingOptions options{.dim = 16, .epochs = 20, .min_count = 2, .seed = 3};
  double last = -1.0;
  const WordVectors vectors = train_word_vectors(views, "de", options, [&](double share) {
    EXPECT_LE(last, share);
    last = share;
  });
  EXPECT_EQ(vectors.dim(), 16U);
  EXPECT_EQ(vectors.size(), 14U);
  EXPECT_TRUE(vectors.find("einhorn").empty());
  EXPECT_GT(cosine(vectors.find("hund"), vectors.find("katze")),
            cosine(vectors.find("hund"), vectors.find("auto")) + 0.2);
  EXPECT_TRUE(std::ranges::equal(train_word_vectors(views, "de", options).rows(), vectors.rows()));
  auto other = options;
  other.seed = 4;
  EXPECT_FALSE(std::ranges::equal(train_word_vectors(views, "de", other).rows(), vectors.rows()));
}

TEST(VectorTraining, NeedsWords) {
  const std::vector<std::string_view> captions = {"!", ""};
  EXPECT_THROW(train_word_vectors(captions, "de", {}), InputError);
}

}  // namespace
}  // namespace hinny

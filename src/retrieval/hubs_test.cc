#include "retrieval/hubs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/safetensors.h"
#include "retrieval/query_ranks.h"
#include "tests/decimal_comma.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

std::vector<float> unit_rows(Random& random, std::size_t rows, std::size_t dim) {
  std::vector<float> all(rows * dim);
  for (std::size_t i = 0; i < rows; ++i) {
    double square = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      all[i * dim + d] = static_cast<float>(random.normal());
      square += std::pow(static_cast<double>(all[i * dim + d]), 2);
    }
    for (std::size_t d = 0; d < dim; ++d) all[i * dim + d] /= static_cast<float>(std::sqrt(square));
  }
  return all;
}

TEST(Hubs, PenaltyIsTheWeightedSmoothMaximum) {
  constexpr std::size_t kDim = 6, kRows = 5, kCount = 300;
  Random random(1);
  const std::vector<float> rows = unit_rows(random, kRows, kDim);
  const std::vector<float> remembered = unit_rows(random, kCount, kDim);
  const HubBank bank{kDim, 0.1, 0.7, {}};
  const std::vector<float> penalties = hub_penalties(bank, remembered, {rows, kRows, kDim});
  ASSERT_EQ(penalties.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < kCount; ++k) {
      double product = 0;
      for (std::size_t d = 0; d < kDim; ++d) {
        product +=
            static_cast<double>(rows[i * kDim + d]) * static_cast<double>(remembered[k * kDim + d]);
      }
      sum += std::exp(product / 0.1);
    }
    EXPECT_NEAR(penalties[i], -0.7 * 0.1 * std::log(sum / kCount), 1e-5);
  }
}

// More rows than are scored at once give what each alone gives, to the last bit: indexes keep it.
TEST(Hubs, BlocksDoNotShow) {
  constexpr std::size_t kDim = 67, kRows = 700, kCount = 2000;
  Random random(2);
  const std::vector<float> rows = unit_rows(random, kRows, kDim);
  const std::vector<float> remembered = unit_rows(random, kCount, kDim);
  const HubBank bank{kDim, 0.05, 0.5, {}};
  const std::vector<float> all = hub_penalties(bank, remembered, {rows, kRows, kDim});
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto alone = std::span(rows).subspan(i * kDim, kDim);
    ASSERT_EQ(hub_penalties(bank, remembered, {alone, 1, kDim}).front(), all[i]) << i;
  }
}

class HubFile : public testing::Test {
 protected:
  Scratch scratch_;
  fs::path file_ = scratch_ / "hubs.safetensors";
  void expect_refused(const std::string& message) const {
    try {
      read_hubs(file_, 2);
      FAIL() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
    }
  }
  void write(const std::map<std::string, std::vector<float>>& rows,
             const std::map<std::string, std::string>& metadata) const {
    std::map<std::string, TensorView> tensors;
    for (const auto& [name, numbers] : rows) {
      tensors[name] = {TensorType::float32,
                       {static_cast<std::int64_t>(numbers.size()) / 2, 2},
                       std::as_bytes(std::span(numbers))};
    }
    write_safetensors(file_, tensors, metadata);
  }
};

const std::map<std::string, std::string> kRule = {{"temperature", "0.05"}, {"weight", "0.5"}};

TEST_F(HubFile, ComesBack) {
  HubBank bank{2, 0.03, 0.25, {}};
  bank.spaces["image"] = {{1, 0, 0, -1}, {0.5, 0.5}};
  bank.spaces["image_de"] = {{0, 1}, {0.25, 1, 1, 1}};
  write_hubs(file_, bank);
  EXPECT_FALSE(read_hubs(file_, 2).fit);
  bank.fit = FitCurve{1.0 / 3, -0.25, -1e-7};
  write_hubs(file_, bank);
  const HubBank read = read_hubs(file_, 2);
  EXPECT_EQ(read.fit, bank.fit);
  EXPECT_EQ(read.dim, 2U);
  EXPECT_EQ(read.temperature, 0.03);
  EXPECT_EQ(read.weight, 0.25);
  ASSERT_EQ(read.spaces.size(), 2U);
  EXPECT_EQ(read.spaces.at("image").captions, bank.spaces["image"].captions);
  EXPECT_EQ(read.spaces.at("image_de").images, bank.spaces["image_de"].images);
}

// Without reading the whole of it: the same as by the bank that it is of.
TEST_F(HubFile, ItsPicturesTellWhatFits) {
  constexpr std::size_t kDim = 19, kCount = 150;
  Random random(5);
  HubBank bank{kDim, 0.03, 0.25, {}};
  bank.spaces["image"] = {unit_rows(random, 3, kDim), unit_rows(random, kCount, kDim)};
  bank.spaces["other"] = {unit_rows(random, 3, kDim), unit_rows(random, 2, kDim)};
  const std::vector<float> question = unit_rows(random, 1, kDim);
  for (const auto& curve : {std::optional<FitCurve>(), std::optional(FitCurve{1, 2, 3})}) {
    bank.fit = curve;
    write_hubs(file_, bank);
    const HubBank whole = read_hubs(file_, kDim);
    for (const char* space : {"image", "other"}) {
      const Fit wanted =
          curve.value_or(FitCurve{}).of(known_score(whole.spaces.at(space).images, question));
      EXPECT_EQ(KnownPictures(file_, kDim).fit(space, question), wanted);
    }
  }
  const KnownPictures known(file_, kDim);
  EXPECT_THROW(known.fit("none", question), InputError);
  EXPECT_THROW(KnownPictures(file_, kDim + 1).fit("image", question), InputError);
}

TEST_F(HubFile, ComesBackInAProgramWhoseNumbersHaveAComma) {
  HubBank bank{2, 0.03, 0.25, {}};
  bank.spaces["image"] = {{1, 0, 0, -1}, {0.5, 0.5}};
  const DecimalComma comma;
  if (!comma.on()) GTEST_SKIP() << "no locale with a comma can be made here";
  write_hubs(file_, bank);
  EXPECT_EQ(read_hubs(file_, 2).temperature, 0.03);
  EXPECT_EQ(read_hubs(file_, 2).weight, 0.25);
}

TEST_F(HubFile, WordsAndRegionsComeBack) {
  HubBank bank{2, 0.03, 0.25, {}};
  bank.spaces["image"] = {{1, 0, 0, -1, 2, 0.5}, {0.5, 0.5, 1, 0, 0, 1, 1, 1}, {2, 1}, 2};
  write_hubs(file_, bank);
  const HubBank::Space read = read_hubs(file_, 2).spaces.at("image");
  EXPECT_EQ(read.captions, bank.spaces["image"].captions);
  EXPECT_EQ(read.images, bank.spaces["image"].images);
  EXPECT_EQ(read.lengths, bank.spaces["image"].lengths);
  EXPECT_EQ(read.regions, 2U);
  bank.spaces["image"].lengths = {2, 2};
  write_hubs(file_, bank);
  expect_refused("a caption of 2 words");
  bank.spaces["image"].lengths = {1, 1};
  write_hubs(file_, bank);
  expect_refused("1 words of no caption");
  bank.spaces["image"].lengths = {3, 0};
  write_hubs(file_, bank);
  expect_refused("a caption of 0 words");
}

TEST_F(HubFile, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(read_hubs(file_, 2), InputError);  // none
  write({{"captions.image", {1, 0}}, {"images.image", {1, 0}}}, {{"weight", "0.5"}});
  expect_refused("no 'temperature'");
  write({{"captions.image", {1, 0}}, {"images.image", {1, 0}}},
        {{"weight", "0.5"}, {"temperature", "0"}});
  expect_refused("temperature '0'");
  write({{"captions.image", {1, 0}}}, kRule);
  expect_refused("half of space 'image'");
  write({{"captions.image", {1, NAN}}, {"images.image", {1, 0}}}, kRule);
  expect_refused("not finite");
  auto rule = kRule;
  rule.insert({"fit_known", "1"});
  write({{"captions.image", {1, 0}}, {"images.image", {1, 0}}}, rule);
  expect_refused("no 'fit_score'");
  rule.insert({{"fit_score", "-2"}, {"fit_offset", "0"}});
  write({{"captions.image", {1, 0}}, {"images.image", {1, 0}}}, rule);
  expect_refused("a higher score fits less");
  write({{"words", {1, 0}}}, kRule);
  expect_refused("tensor 'words'");
  write({{"captions.image", {1, 0}}, {"images.image", {1, 0}}}, kRule);
  EXPECT_NO_THROW(read_hubs(file_, 2));
  EXPECT_THROW(read_hubs(file_, 4), InputError);  // another model's
}

}  // namespace
}  // namespace hinny

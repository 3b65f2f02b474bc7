#include "retrieval/recall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "retrieval/folds.h"
#include "retrieval/vector_rows.h"

namespace hinny {
namespace {

struct Sample {
  std::size_t dim;
  std::vector<float> images, captions;
  std::vector<int> image_of_caption;
  VectorRows image_matrix() const { return {images, images.size() / dim, dim}; }
  VectorRows caption_matrix() const { return {captions, captions.size() / dim, dim}; }
};

// Small whole numbers: scores are exact, and ties are plenty.
Sample sample(std::uint64_t seed, std::size_t images, std::size_t captions) {
  Random random(seed);
  Sample s{4, {}, {}, {}};
  const auto number = [&] { return static_cast<float>(random.below(4)) - 1.0F; };
  for (std::size_t i = 0; i < images * s.dim; ++i) s.images.push_back(number());
  for (std::size_t c = 0; c < captions; ++c) {
    const std::size_t image = random.below(images);
    s.image_of_caption.push_back(static_cast<int>(image));
    for (std::size_t d = 0; d < s.dim; ++d) {
      s.captions.push_back(random.below(3) == 0 ? number() : s.images[image * s.dim + d]);
    }
  }
  return s;
}

// By sorting whole lists, the wrong ones first among equals.
double sorted_recall(const Sample& s, bool from_images, std::size_t k) {
  const VectorRows queries = from_images ? s.image_matrix() : s.caption_matrix();
  const VectorRows candidates = from_images ? s.caption_matrix() : s.image_matrix();
  double hits = 0, asked = 0;
  for (std::size_t q = 0; q < queries.rows; ++q) {
    std::vector<std::pair<double, int>> list;
    bool any = false;
    for (std::size_t c = 0; c < candidates.rows; ++c) {
      double score = 0;
      for (std::size_t d = 0; d < s.dim; ++d) {
        score +=
            static_cast<double>(queries.values[q * s.dim + d]) * candidates.values[c * s.dim + d];
      }
      const std::size_t caption = from_images ? c : q;
      const bool right = s.image_of_caption[caption] == static_cast<int>(from_images ? q : c);
      any = any || right;
      list.emplace_back(-score, right);
    }
    if (!any) continue;
    std::sort(list.begin(), list.end());
    ++asked;
    for (std::size_t i = 0; i < std::min(k, list.size()); ++i) {
      if (list[i].second) {
        ++hits;
        break;
      }
    }
  }
  return 100 * hits / asked;
}

TEST(Recall, AgreesWithSortedListsFullOfTies) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample s = sample(seed, 40 + seed, 90);  // some images are left without a caption
    const auto result = measure_recall(s.image_matrix(), s.caption_matrix(), s.image_of_caption);
    EXPECT_EQ(result.captions, 90U);
    EXPECT_NEAR(result.image_to_text.r1, sorted_recall(s, true, 1), 1e-9);
    EXPECT_NEAR(result.image_to_text.r5, sorted_recall(s, true, 5), 1e-9);
    EXPECT_NEAR(result.image_to_text.r10, sorted_recall(s, true, 10), 1e-9);
    EXPECT_NEAR(result.text_to_image.r1, sorted_recall(s, false, 1), 1e-9);
    EXPECT_NEAR(result.text_to_image.r5, sorted_recall(s, false, 5), 1e-9);
    EXPECT_NEAR(result.text_to_image.r10, sorted_recall(s, false, 10), 1e-9);
  }
}

// More scores than one block holds: every query and candidate still counts once.
TEST(Recall, BlocksCoverEverything) {
  constexpr std::size_t kImages = 3000;
  Random random(3);
  Sample s{32, {}, {}, {}};
  for (std::size_t i = 0; i < kImages; ++i) {
    std::vector<float> row(s.dim);
    double length = 0;
    for (float& number : row) {
      number = static_cast<float>(random.normal());
      length += static_cast<double>(number) * static_cast<double>(number);
    }
    for (const float number : row)
      s.images.push_back(number / static_cast<float>(std::sqrt(length)));
  }
  s.captions = s.images;
  for (std::size_t i = 0; i < kImages; ++i) s.image_of_caption.push_back(static_cast<int>(i));
  s.image_of_caption[kImages - 1] = 0;  // one wrong pair, in the last block
  const auto result = measure_recall(s.image_matrix(), s.caption_matrix(), s.image_of_caption);
  EXPECT_NEAR(result.text_to_image.r10, 100.0 * (kImages - 1) / kImages, 1e-9);
  EXPECT_NEAR(result.image_to_text.r1, 100.0, 1e-9);  // the last image has no caption: no query
}

TEST(Recall, AModelThatCollapsedScoresNothing) {
  Random random(7);
  std::vector<float> one(300);
  for (float& number : one) number = static_cast<float>(random.normal());
  Sample s{one.size(), {}, {}, {}};
  for (int i = 0; i < 101; ++i) {
    s.images.insert(s.images.end(), one.begin(), one.end());
    for (int c = 0; c < 5; ++c) {
      s.captions.insert(s.captions.end(), one.begin(), one.end());
      s.image_of_caption.push_back(i);
    }
  }
  const auto result = measure_recall(s.image_matrix(), s.caption_matrix(), s.image_of_caption);
  EXPECT_EQ(result.mean(), 0.0);
}

// Their scores come from different places of a matrix product, which rounds by place.
TEST(Recall, EqualVectorsTieThoughTheirScoresAreRounded) {
  constexpr std::size_t kDim = 300, kPoints = 20;
  Random random(11);
  std::vector<float> points(kPoints * kDim);
  for (float& number : points) number = static_cast<float>(random.normal());
  Sample s{kDim, {}, {}, {}};
  const auto add = [&](std::vector<float>& rows) {
    const auto point = points.begin() + static_cast<std::ptrdiff_t>(random.below(kPoints) * kDim);
    rows.insert(rows.end(), point, point + kDim);
  };
  for (int i = 0; i < 61; ++i) add(s.images);
  for (int c = 0; c < 307; ++c) {
    add(s.captions);
    s.image_of_caption.push_back(static_cast<int>(random.below(61)));
  }
  const auto result = measure_recall(s.image_matrix(), s.caption_matrix(), s.image_of_caption);
  EXPECT_NEAR(result.image_to_text.r1, sorted_recall(s, true, 1), 1e-9);
  EXPECT_NEAR(result.image_to_text.r10, sorted_recall(s, true, 10), 1e-9);
  EXPECT_NEAR(result.text_to_image.r5, sorted_recall(s, false, 5), 1e-9);
  EXPECT_NEAR(result.text_to_image.r10, sorted_recall(s, false, 10), 1e-9);
}

TEST(Recall, NanIsAMissOnEitherSide) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> images = {1, 0, 0, 1};
  const std::vector<int> owner = {0, 1};
  const std::vector<float> bad_right = {nan, 0, 0, 1};
  const auto right = measure_recall({images, 2, 2}, {bad_right, 2, 2}, owner);
  EXPECT_EQ(right.text_to_image.r10, 50.0);
  EXPECT_EQ(right.image_to_text.r10, 50.0);  // two candidates, and still no hit at 10
  EXPECT_EQ(right.image_to_text.r1, 0.0);    // the NaN caption stands above image 1's own
}

TEST(Recall, FoldsAreMeasuredAloneAndAveraged) {
  // Image 2 repeats image 0, so the whole set has ties that the folds do not have.
  const std::vector<float> images = {1, 0, 0, 1, 1, 0, 0, 1};
  const std::vector<int> owner = {3, 2, 1, 0};
  const std::vector<float> captions = {0, 1, 1, 0, 0, 1, 1, 0};
  EXPECT_EQ(measure_recall({images, 4, 2}, {captions, 4, 2}, owner).text_to_image.r1, 0.0);
  const auto folds = measure_recall_in_folds({images, 4, 2}, {captions, 4, 2}, owner, 2);
  EXPECT_EQ(folds.mean(), 100.0);
  EXPECT_EQ(folds.captions, 4U);
  EXPECT_THROW(measure_recall_in_folds({images, 4, 2}, {captions, 4, 2}, owner, 3), InputError);
}

TEST(Recall, AFoldHasItsImagesAndTheirCaptions) {
  const std::vector<int> owner = {3, 2, 1, 0, 3};
  const std::vector<Fold> folds = cut_into_folds(4, owner, 2);
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_EQ(folds[0].captions, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(folds[0].owners, (std::vector<int>{1, 0}));
  EXPECT_EQ(folds[1].captions, (std::vector<std::size_t>{0, 1, 4}));
  EXPECT_EQ(folds[1].owners, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(folds[1].begin, 2U);
  EXPECT_EQ(folds[1].end, 4U);
  EXPECT_THROW(cut_into_folds(4, owner, 3), InputError);
  EXPECT_THROW(cut_into_folds(4, owner, 0), InputError);
  EXPECT_THROW(cut_into_folds(8, owner, 2), InputError);  // no caption in the second
}

TEST(Recall, NoCaptionsGiveZerosAndBadShapesAreRefused) {
  const std::vector<float> images = {1, 0};
  EXPECT_EQ(measure_recall({images, 1, 2}, {{}, 0, 2}, {}).mean(), 0.0);
  const std::vector<int> outside = {1};
  EXPECT_THROW(measure_recall({images, 1, 2}, {images, 1, 2}, outside), std::invalid_argument);
  EXPECT_THROW(measure_recall({images, 1, 2}, {images, 2, 1}, outside), std::invalid_argument);
}

RecallTable recall_table() {
  RecallTable t;
  t.split = "test";
  t.images = 1000;
  t.train_parameters = 12345678;
  t.search_parameters = 1234567;
  t.languages = {{"de", true, 5000, {10, 20, 30}, {40, 50, 61.239}},
                 {"hi", false, 1000, {1.005, 2, 3}, {4, 5, 6}}};
  return t;
}

TEST(RecallTable, JsonIsTheStableInterface) {
  EXPECT_EQ(as_json(recall_table()),
            R"({"split":"test","images":1000,"languages":{"de":{"captions":5000,)"
            R"("image_to_text":{"r1":10.0,"r5":20.0,"r10":30.0},)"
            R"("text_to_image":{"r1":40.0,"r5":50.0,"r10":61.24},"mean_recall":35.21},)"
            R"("hi":{"captions":1000,"image_to_text":{"r1":1.0,"r5":2.0,"r10":3.0},)"
            R"("text_to_image":{"r1":4.0,"r5":5.0,"r10":6.0},"mean_recall":3.5}},)"
            R"("average":19.35,"human_average":35.21,)"
            R"("parameters":{"train":12345678,"search":1234567}})");
}

TEST(RecallTable, AveragesOverNothingAreAbsent) {
  RecallTable t = recall_table();
  t.languages.erase(t.languages.begin());
  EXPECT_TRUE(std::isnan(t.human_average()));
  EXPECT_NE(as_json(t).find(R"("human_average":null)"), std::string::npos);
}

TEST(RecallTable, TextAndMarkdownHoldEveryRow) {
  EXPECT_EQ(as_text(recall_table()),
            "test: 1000 images\n"
            "\n"
            "                  image -> text          text -> image    \n"
            "language          R@1    R@5   R@10      R@1    R@5   R@10       mR  captions\n"
            "de               10.0   20.0   30.0     40.0   50.0   61.2     35.2      5000\n"
            "hi *              1.0    2.0    3.0      4.0    5.0    6.0      3.5      1000\n"
            "average                                                        19.4\n"
            "human average                                                  35.2\n"
            "* captions that no person wrote or edited\n"
            "\n"
            "parameters: 12345678 trained, 1234567 to search\n");
  const std::string markdown = as_markdown(recall_table());
  EXPECT_NE(markdown.find("| de | 10.0 | 20.0 | 30.0 | 40.0 | 50.0 | 61.2 | 35.2 |\n"),
            std::string::npos);
  EXPECT_NE(markdown.find("| human average | | | | | | | 35.2 |\n"), std::string::npos);
}

}  // namespace
}  // namespace hinny

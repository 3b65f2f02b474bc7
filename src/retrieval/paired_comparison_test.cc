#include "retrieval/paired_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/random.h"
#include "base/threads.h"
#include "retrieval/recall.h"

namespace hinny {
namespace {

constexpr int kMiss = 10;

// One caption for each image, found by the first or the second system, both ways, where the letter
// is 1 or 2; by both: b, by neither: n. An image without a caption: -.
PairedRanks ranks_of(const std::string& language, const std::string& letters) {
  PairedRanks ranks{language, {}, {}, {}};
  const auto rank = [](bool hit) { return hit ? 0 : kMiss; };
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    const int first = rank(letter == '1' || letter == 'b');
    const int second = rank(letter == '2' || letter == 'b');
    const bool captioned = letter != '-';
    ranks.first.by_image.push_back(captioned ? first : QueryRanks::kNoQuery);
    ranks.second.by_image.push_back(captioned ? second : QueryRanks::kNoQuery);
    if (!captioned) continue;
    ranks.image_of_caption.push_back(static_cast<int>(i));
    ranks.first.by_caption.push_back(first);
    ranks.second.by_caption.push_back(second);
  }
  return ranks;
}

PairedTable compare(std::vector<PairedRanks> languages) { return compare_ranks(languages); }

// Several captions per image, some images without any in a language, ranks of all kinds.
PairedRanks random_ranks(std::uint64_t seed, int images, double gain) {
  Random random(seed);
  PairedRanks ranks{"l" + std::to_string(seed), {}, {}, {}};
  const auto add = [&](std::vector<int>& first, std::vector<int>& second) {
    first.push_back(static_cast<int>(random.below(11)));
    second.push_back(random.uniform() < gain ? kMiss : static_cast<int>(random.below(11)));
  };
  for (int image = 0; image < images; ++image) {
    const std::size_t captions = random.below(4);
    for (std::size_t c = 0; c < captions; ++c) {
      ranks.image_of_caption.push_back(image);
      add(ranks.first.by_caption, ranks.second.by_caption);
    }
    add(ranks.first.by_image, ranks.second.by_image);
    if (captions == 0) ranks.first.by_image.back() = ranks.second.by_image.back() = -1;
  }
  return ranks;
}

// The average's p over all 2^images swaps, each measured anew by recall_of.
double exact_p(std::vector<PairedRanks> languages) {
  const std::size_t images = languages.front().first.by_image.size();
  const auto difference = [&](std::size_t swapped) {
    double sum = 0;
    for (PairedRanks ranks : languages) {
      for (std::size_t i = 0; i < images; ++i) {
        if ((swapped >> i & 1U) != 0) std::swap(ranks.first.by_image[i], ranks.second.by_image[i]);
      }
      for (std::size_t c = 0; c < ranks.image_of_caption.size(); ++c) {
        if ((swapped >> static_cast<unsigned>(ranks.image_of_caption[c]) & 1U) == 0) continue;
        std::swap(ranks.first.by_caption[c], ranks.second.by_caption[c]);
      }
      sum += recall_of(ranks.first).mean() - recall_of(ranks.second).mean();
    }
    return std::abs(sum);
  };
  std::size_t as_far = 0;
  for (std::size_t s = 0; s < std::size_t{1} << images; ++s) {
    as_far += difference(s) >= difference(0) - 1e-9 ? 1 : 0;
  }
  return static_cast<double>(as_far) / static_cast<double>(std::size_t{1} << images);
}

TEST(PairedComparison, ASystemIsNoBetterThanItself) {
  PairedRanks ranks = random_ranks(1, 50, 0);
  ranks.second = ranks.first;
  const PairedTable table = compare({ranks, ranks});
  for (const PairedDifference& row : {table.languages.at(1), table.average}) {
    EXPECT_GT(row.first, 0);
    EXPECT_EQ(row.second, row.first);
    EXPECT_EQ(row.difference, 0);
    EXPECT_EQ(row.low, 0);
    EXPECT_EQ(row.high, 0);
    EXPECT_EQ(row.p, 1);
  }
}

// Three images for the first, one for the second, one for both. A difference of +-2 of 5 comes of 8
// of the 16 ways to swap four, one of +-4 of another 2.
TEST(PairedComparison, ASmallCaseByHand) {
  const PairedTable table = compare({ranks_of("en", "1112b")});
  const PairedDifference& row = table.languages.at(0);
  EXPECT_EQ(row.captions, 5U);
  EXPECT_NEAR(row.first, 80, 1e-9);
  EXPECT_NEAR(row.second, 40, 1e-9);
  EXPECT_NEAR(row.difference, 40, 1e-9);
  EXPECT_NEAR(row.p, 10.0 / 16, 0.02);
  // Draws of five of {1, 1, 1, -1, 0}: of 3,125, 31 (1.0 %) sum to -3 or less, 101 (3.2 %) to -2 or
  // less, 243 (7.8 %) to 5, so the percentiles are -2 and 5 of five.
  EXPECT_NEAR(row.low, -40, 1e-9);
  EXPECT_NEAR(row.high, 100, 1e-9);
  EXPECT_NEAR(table.average.difference, 40, 1e-9);
}

TEST(PairedComparison, SampledSwapsAgreeWithAllOfThem) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::vector<PairedRanks> languages = {random_ranks(10 + seed, 9, 0.3),
                                                random_ranks(20 + seed, 9, 0.3)};
    // Four standard deviations of 10,000 coins.
    EXPECT_NEAR(compare(languages).average.p, exact_p(languages), 0.02) << seed;
  }
}

TEST(PairedComparison, AClearlyBetterSystemIsSeenFromEitherSide) {
  // The rounds of so many images are drawn in more than one block.
  PairedRanks ranks = random_ranks(3, 900, 0.5);
  const PairedDifference better = compare({ranks}).average;
  EXPECT_GT(better.low, 0);
  EXPECT_LT(better.low, better.difference);
  EXPECT_GT(better.high, better.difference);
  EXPECT_NEAR(better.p, 1.0 / 10'001, 1e-12);
  std::swap(ranks.first, ranks.second);
  const PairedDifference worse = compare({ranks}).average;
  EXPECT_EQ(worse.difference, -better.difference);
  EXPECT_NEAR(worse.low, -better.high, 1e-9);
  EXPECT_EQ(worse.p, better.p);
}

// Two systems that differ by luck alone: 5 % of the p are below 0.05, and as many intervals miss 0.
TEST(PairedComparison, LuckIsSeldomTakenForMore) {
  int low_p = 0, missed = 0;
  for (std::uint64_t seed = 100; seed < 200; ++seed) {
    const PairedDifference row = compare({random_ranks(seed, 80, 0)}).average;
    low_p += row.p < 0.05 ? 1 : 0;
    missed += row.low > 0 || row.high < 0 ? 1 : 0;
  }
  EXPECT_LE(low_p, 13);
  EXPECT_LE(missed, 13);
  EXPECT_GE(missed, 1);
}

// Fifty captions of an image tell no more than one of them does.
TEST(PairedComparison, CaptionsOfAnImageAreNotIndependent) {
  const PairedRanks one = ranks_of("en", "1112b");
  PairedRanks fifty = one;
  for (int copy = 1; copy < 50; ++copy) {
    for (std::size_t c = 0; c < one.image_of_caption.size(); ++c) {
      fifty.image_of_caption.push_back(one.image_of_caption[c]);
      fifty.first.by_caption.push_back(one.first.by_caption[c]);
      fifty.second.by_caption.push_back(one.second.by_caption[c]);
    }
  }
  const PairedDifference a = compare({one}).average, b = compare({fifty}).average;
  EXPECT_NEAR(b.low, a.low, 1e-9);
  EXPECT_NEAR(b.high, a.high, 1e-9);
  EXPECT_EQ(b.p, a.p);
}

// Nor do the same captions in another language.
TEST(PairedComparison, LanguagesOfAnImageAreNotIndependent) {
  const PairedDifference one = compare({ranks_of("en", "1112b")}).average;
  const PairedDifference two = compare({ranks_of("en", "1112b"), ranks_of("de", "1112b")}).average;
  EXPECT_NEAR(two.low, one.low, 1e-9);
  EXPECT_NEAR(two.high, one.high, 1e-9);
  EXPECT_EQ(two.p, one.p);
}

TEST(PairedComparison, AnImageWithoutACaptionChangesNothing) {
  const PairedDifference with = compare({ranks_of("en", "1-1-12b-")}).average;
  const PairedDifference without = compare({ranks_of("en", "1112b")}).average;
  EXPECT_EQ(with.difference, without.difference);
  EXPECT_EQ(with.low, without.low);
  EXPECT_EQ(with.high, without.high);
  EXPECT_EQ(with.p, without.p);
}

// German for two of eight images: a draw lacks it one time in ten, and tells of English then.
TEST(PairedComparison, ALanguageMayBePresentForPartOfTheImages) {
  const PairedTable table = compare({ranks_of("en", "nnnnnnnn"), ranks_of("de", "11------")});
  const PairedDifference &en = table.languages.at(0), &de = table.languages.at(1);
  EXPECT_EQ(en.difference, 0);
  EXPECT_EQ(de.captions, 2U);
  EXPECT_EQ(de.difference, 100);
  EXPECT_EQ(de.low, 100);  // whatever is drawn of it
  EXPECT_EQ(de.high, 100);
  EXPECT_NEAR(de.p, 0.5, 0.02);  // both swapped, or neither
  EXPECT_EQ(table.average.captions, 10U);
  EXPECT_EQ(table.average.difference, 50);
  EXPECT_EQ(table.average.low, 0);
  EXPECT_EQ(table.average.high, 50);
}

TEST(PairedComparison, ThreadsDoNotMatter) {
  const std::vector<PairedRanks> languages = {random_ranks(5, 200, 0.1), random_ranks(6, 200, 0)};
  const std::string by_all = as_text(compare(languages));
  std::string by_one[2];
  parallel_blocks(2, [&](std::size_t begin, std::size_t end) {  // within it nothing is parallel
    for (std::size_t i = begin; i < end; ++i) by_one[i] = as_text(compare(languages));
  });
  EXPECT_EQ(by_one[0], by_all);
  EXPECT_EQ(by_one[1], by_all);
}

TEST(PairedComparison, RanksThatDoNotFitAreRefused) {
  EXPECT_THROW(compare({}), std::invalid_argument);
  EXPECT_THROW(compare({ranks_of("en", "--")}), std::invalid_argument);
  EXPECT_THROW(compare({ranks_of("en", "11"), ranks_of("de", "111")}), std::invalid_argument);
  PairedRanks fewer = ranks_of("en", "11");
  fewer.second.by_caption.pop_back();
  EXPECT_THROW(compare({fewer}), std::invalid_argument);
}

PairedTable paired_table() {
  PairedTable t = {"runs/a", "runs/b", "test", 1000, {}, {}};
  t.languages = {{"en", 5000, 48.234, 47.1, 1.134, 0.2, 2.061, 0.01234},
                 {"de", 3000, 40, 40.001, -0.001, -0.5, 0.4999, 1}};
  t.average = {"average", 8000, 44.117, 43.5505, 0.5665, -0.25, 1.25, 0.0001};
  return t;
}

TEST(PairedTable, JsonIsTheStableInterface) {
  EXPECT_EQ(as_json(paired_table()),
            R"({"split":"test","images":1000,"run":"runs/a","against":"runs/b","languages":{)"
            R"("en":{"captions":5000,"run":48.23,"against":47.1,"difference":1.13,)"
            R"("interval":[0.2,2.06],"p":0.0123},)"
            R"("de":{"captions":3000,"run":40.0,"against":40.0,"difference":0.0,)"
            R"("interval":[-0.5,0.5],"p":1.0}},)"
            R"("average":{"captions":8000,"run":44.12,"against":43.55,"difference":0.57,)"
            R"("interval":[-0.25,1.25],"p":0.0001},"rounds":10000})");
  PairedTable odd = paired_table();
  odd.first_run = "runs/\xFF";  // a path may be any bytes
  EXPECT_FALSE(nlohmann::json::parse(as_json(odd), nullptr, false).is_discarded());
}

TEST(PairedTable, TextAndMarkdownHoldEveryRow) {
  EXPECT_EQ(as_text(paired_table()),
            "test: 1000 images\n"
            "RUN   runs/a\n"
            "RUN2  runs/b\n"
            "\n"
            "mR                RUN    RUN2  difference     95 % interval       p\n"
            "en              48.23   47.10       +1.13    +0.20 to +2.06  0.0123\n"
            "de              40.00   40.00       +0.00    -0.50 to +0.50  1.0000\n"
            "average         44.12   43.55       +0.57    -0.25 to +1.25  0.0001\n");
  EXPECT_EQ(as_markdown(paired_table()),
            "| mR | RUN | RUN2 | difference | 95 % interval | p |\n"
            "|---|---|---|---|---|---|\n"
            "| en | 48.23 | 47.10 | +1.13 | +0.20 to +2.06 | 0.0123 |\n"
            "| de | 40.00 | 40.00 | +0.00 | -0.50 to +0.50 | 1.0000 |\n"
            "| average | 44.12 | 43.55 | +0.57 | -0.25 to +1.25 | 0.0001 |\n");
}

}  // namespace
}  // namespace hinny

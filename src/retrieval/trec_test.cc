#include "retrieval/trec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include "base/random.h"
#include "base/read_file.h"
#include "retrieval/recall.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

std::vector<std::string> ids(const char* prefix, std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(prefix + std::to_string(i));
  return all;
}

// Recall at K as any reader of the two files computes it.
double recall_at(int k, const std::filesystem::path& prefix) {
  std::map<std::string, std::map<std::string, bool>> right;
  std::istringstream qrels(read_file(prefix.string() + ".qrels"));
  std::string query, zero, candidate, score, run;
  int rank = 0, relevance = 0;
  while (qrels >> query >> zero >> candidate >> relevance) right[query][candidate] = true;
  std::map<std::string, int> first;
  std::istringstream rankings(read_file(prefix.string() + ".run"));
  while (rankings >> query >> zero >> candidate >> rank >> score >> run) {
    if (right.at(query).contains(candidate) && !first.contains(query)) first[query] = rank;
  }
  const auto hits = std::ranges::count_if(first, [&](const auto& one) { return one.second <= k; });
  return 100.0 * static_cast<double>(hits) / static_cast<double>(right.size());
}

TEST(TrecTest, RecallOfTheFilesIsOurs) {
  Random random(3);
  ScoreMatrix scores{30, 70, {}};
  std::vector<int> owners;
  for (std::size_t c = 0; c < scores.captions; ++c) {
    owners.push_back(static_cast<int>(random.below(29)));  // the last image has none
  }
  for (std::size_t i = 0; i < 30 * 70; ++i) {
    scores.values.push_back(static_cast<float>(random.below(6)));  // ties are plenty
  }
  scores.values[5] = std::numeric_limits<float>::quiet_NaN();
  const auto images = ids("i", 30), captions = ids("c", 70);
  const Scratch folder;
  write_trec(scores, owners, {images, captions, "x"}, folder / "bag.de");
  const LanguageRecall expected = measure_recall(scores, owners);
  for (const auto& [side, recall] :
       {std::pair{".t2i", expected.text_to_image}, std::pair{".i2t", expected.image_to_text}}) {
    const std::string prefix = (folder / "bag.de").string() + side;
    EXPECT_NEAR(recall_at(1, prefix), recall.r1, 1e-9) << side;
    EXPECT_NEAR(recall_at(5, prefix), recall.r5, 1e-9) << side;
    EXPECT_NEAR(recall_at(10, prefix), recall.r10, 1e-9) << side;
  }
}

// As trec_eval reads a run: by score alone, as float32, equal ones by falling id. And as Python
// does, in double precision.
template <typename Number>
double recall_by_score(int k, const std::filesystem::path& prefix) {
  std::map<std::string, std::map<std::string, bool>> right;
  std::istringstream qrels(read_file(prefix.string() + ".qrels"));
  std::string query, zero, candidate, score, run;
  int rank = 0, relevance = 0;
  while (qrels >> query >> zero >> candidate >> relevance) right[query][candidate] = true;
  std::map<std::string, std::vector<std::pair<Number, std::string>>> rankings;
  std::istringstream lines(read_file(prefix.string() + ".run"));
  while (lines >> query >> zero >> candidate >> rank >> score >> run) {
    rankings[query].emplace_back(static_cast<Number>(std::strtod(score.c_str(), nullptr)),
                                 candidate);
  }
  int hits = 0;
  for (auto& [asked, ranking] : rankings) {
    std::ranges::sort(ranking, std::greater<>());
    for (std::size_t i = 1; i < ranking.size(); ++i) {
      EXPECT_LT(ranking[i].first, ranking[i - 1].first) << asked << " " << i;
      EXPECT_TRUE(std::isfinite(ranking[i].first));
    }
    ranking.resize(std::min(ranking.size(), static_cast<std::size_t>(k)));
    hits += std::ranges::any_of(ranking,
                                [&, asked = asked](const auto& one) {
                                  return right.at(asked).contains(one.second);
                                })
                ? 1
                : 0;
  }
  return 100.0 * hits / static_cast<double>(right.size());
}

TEST(TrecTest, ScoresFallStrictlyWhateverTheTies) {
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<std::vector<float>> ranges = {{0, 1},
                                                  {0.5F, std::nextafter(0.5F, 0.0F), 0.1F},
                                                  {-1, -2},
                                                  {0, 1e-45F, -1e-45F, -0.0F},
                                                  {kMost, -kMost, kInfinity, -kInfinity, kNaN},
                                                  {1.17549435e-38F, 1.17549449e-38F},
                                                  {kNaN}};
  for (const auto& range : ranges) {
    Random random(5);
    ScoreMatrix scores{40, 120, {}};
    std::vector<int> owners;
    for (std::size_t c = 0; c < scores.captions; ++c) owners.push_back(static_cast<int>(c % 40));
    for (std::size_t i = 0; i < 40 * 120; ++i) {
      scores.values.push_back(range[random.below(range.size())]);
    }
    const auto images = ids("i", 40), captions = ids("c", 120);
    const Scratch folder;
    write_trec(scores, owners, {images, captions, "x"}, folder / "r");
    const LanguageRecall expected = measure_recall(scores, owners);
    EXPECT_NEAR(recall_by_score<float>(5, folder / "r.t2i"), expected.text_to_image.r5, 1e-9);
    EXPECT_NEAR(recall_by_score<double>(1, folder / "r.t2i"), expected.text_to_image.r1, 1e-9);
    EXPECT_NEAR(recall_by_score<float>(10, folder / "r.i2t"), expected.image_to_text.r10, 1e-9);
    EXPECT_NEAR(recall_by_score<double>(1, folder / "r.i2t"), expected.image_to_text.r1, 1e-9);
  }
}

TEST(TrecTest, ScoresThatDifferStayAsTheyAre) {
  const ScoreMatrix scores{3, 1, {0.25F, 0.5F, 0.5F}};
  const std::vector<int> owners = {2};
  const auto images = ids("i", 3), captions = ids("c", 1);
  const Scratch folder;
  write_trec(scores, owners, {images, captions, "x"}, folder / "r");
  EXPECT_EQ(read_file(folder / "r.t2i.run"),
            "c0 Q0 i1 1 0.5 x\nc0 Q0 i2 2 0.49999997 x\nc0 Q0 i0 3 0.25 x\n");
}

TEST(TrecTest, NamesHaveNoBlanksAndComeBack) {
  EXPECT_EQ(trec_name("a b%c\t#0"), "a%20b%25c%09#0");
  EXPECT_EQ(trec_name("Straße-名#2"), "Straße-名#2");
  // What Python's split() and splitlines(), or an eye, would part or pass over.
  for (const char* blank : {"\u0085", "\u00A0", "\u1680", "\u2003", "\u200B", "\u200D", "\u2028",
                            "\u2029", "\u202F", "\u205F", "\u2060", "\u3000", "\uFEFF", "\x1C"}) {
    const std::string id = std::string("a") + blank + "b", name = trec_name(id);
    std::string back;
    for (std::size_t i = 0; i < name.size(); ++i) {
      EXPECT_TRUE(name[i] > ' ' && name[i] < '\x7F') << name;
      if (name[i] == '%') {
        back += static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        back += name[i];
      }
    }
    EXPECT_EQ(back, id);
  }
}

TEST(TrecTest, LinesAreTrecs) {
  const ScoreMatrix scores{2, 2, {0.5F, 0.25F, 0.125F, 1}};
  const std::vector<int> owners = {0, 1};
  const auto images = ids("i", 2), captions = ids("c", 2);
  const Scratch folder;
  write_trec(scores, owners, {images, captions, "mule"}, folder / "r");
  EXPECT_EQ(
      read_file(folder / "r.t2i.run"),
      "c0 Q0 i0 1 0.5 mule\nc0 Q0 i1 2 0.125 mule\nc1 Q0 i1 1 1 mule\nc1 Q0 i0 2 0.25 mule\n");
  EXPECT_EQ(read_file(folder / "r.i2t.qrels"), "i0 0 c0 1\ni1 0 c1 1\n");
}

}  // namespace
}  // namespace hinny

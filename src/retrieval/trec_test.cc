#include "retrieval/trec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include "base/files.h"
#include "base/random.h"
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

#include "index/asking/ranking.h"

#include <algorithm>
#include <utility>

#include "index/asking/region_scores.h"

namespace hinny {
namespace {

// The question once more, for another model, which reads its sentences in its own way.
Question shortlist_question(const Question& shared, std::span<const ReadPart> parts) {
  Question question = shared;
  question.parts.clear();
  for (const ReadPart& part : parts) question.parts.push_back({part.said()->given, part.weight});
  return question;
}

// The first `most` hits in the order of both models' corrected scores; the others stay behind them.
// What a hit shows stays its cosine.
void rerank(const Index& index, const Prepared& prepared, std::size_t most,
            std::vector<Hit>& hits) {
  const Index& reranker = *index.reranker();
  const Query& query = prepared.query;
  const Query& for_reranker = *prepared.for_reranker;
  most = std::min(most, hits.size());
  std::vector<std::size_t> images;
  for (std::size_t i = 0; i < most; ++i) images.push_back(hits[i].image);
  const std::vector<float> more = region_scores(reranker, for_reranker, images);
  const auto weight = static_cast<float>(reranker.model().config().late->weight);
  std::vector<std::pair<Hit, Hit>> both;  // as ordered, as shown
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t image = images[i];
    float order = hits[i].score + weight * (more[i] + reranker.penalty(image, for_reranker.space));
    if (query.corrected) order += index.penalty(image, query.space);
    both.push_back({{image, order}, hits[i]});
  }
  std::ranges::sort(both, ranks_before, &std::pair<Hit, Hit>::first);
  std::ranges::transform(both, hits.begin(), &std::pair<Hit, Hit>::second);
}

}  // namespace

bool compares_regions(const Index& index, const Prepared& prepared) {
  return index.attends() && !prepared.query.sentences.empty();
}

std::vector<Hit> compared_hits(const Index& index, const Prepared& prepared, const Question& shared,
                               const AskHelp& help, Among among, std::size_t least) {
  std::vector<std::size_t> images;
  if (help.shortlist) {
    images = help.shortlist(shortlist_question(shared, prepared.parts));
  } else {
    const std::size_t most = std::max(shared.compared(kCompared), least);
    Query nearest = prepared.query;
    nearest.corrected = false;  // what hubs cost is known of words and regions
    const auto hits = index.search(std::span(&nearest, 1), std::min(index.size(), most), among);
    for (const Hit& hit : hits.front()) images.push_back(hit.image);
  }
  return hits_by_regions(index, prepared.query, images, images.size());
}

std::vector<std::vector<Hit>> ranked_hits(const Index& index,
                                          std::span<const Prepared* const> asked,
                                          const Question& shared, const AskHelp& help, Among among,
                                          std::size_t k) {
  if (help.shortlist && !index.attends()) {
    throw RequestError("a shortlist for a model that compares vectors",
                       "an index of a model that compares words with regions (scan)");
  }
  if (!compares_regions(index, *asked.front())) {
    std::vector<Query> queries;
    bool for_reranker = false;
    for (const Prepared* one : asked) {
      queries.push_back(one->query);
      for_reranker |= one->for_reranker.has_value();
    }
    if (!for_reranker) return index.search(queries, k, among);
    const std::size_t most = shared.compared(kReranked);
    auto hits = index.search(queries, std::min(index.size(), std::max(most, k)), among);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (asked[i]->for_reranker) rerank(index, *asked[i], most, hits[i]);
    }
    return hits;
  }
  std::vector<std::vector<Hit>> hits;
  for (const Prepared* one : asked) {
    hits.push_back(compared_hits(index, *one, shared, help, among, k));
  }
  return hits;
}

}  // namespace hinny

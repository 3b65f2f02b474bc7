#include "training/evaluation/rankings.h"

#include <fmt/format.h>

#include <map>

#include "base/progress.h"
#include "retrieval/trec.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {
namespace {

std::vector<std::string> names_of(const Dataset& dataset, const std::vector<int>& images) {
  std::vector<std::string> names;
  for (const int image : images) {
    names.push_back(trec_name(dataset.images()[static_cast<std::size_t>(image)].id));
  }
  return names;
}

}  // namespace

void write_rankings(Experiment& experiment, const std::string& split, const std::string& run,
                    const std::filesystem::path& prefix) {
  SplitScorer scorer(experiment, split);
  const std::vector<std::string> images = names_of(experiment.dataset, scorer.images());
  Progress progress("rankings of " + split, 0);
  for (const std::size_t l : scorer.languages()) {
    const auto [captions, owners] = scorer.captions(l);
    std::map<int, int> places;
    std::vector<std::string> names;
    for (const int owner : owners) {
      names.push_back(
          fmt::format("{}#{}", images[static_cast<std::size_t>(owner)], places[owner]++));
    }
    const std::string& language = experiment.dataset.languages()[l];
    write_trec(scorer.scores(l, captions, &progress), owners, {images, names, trec_name(run)},
               prefix.string() + "." + language);
  }
}

}  // namespace hinny

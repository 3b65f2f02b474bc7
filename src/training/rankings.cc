#include "training/rankings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/progress.h"
#include "retrieval/trec.h"
#include "training/split_scorer.h"

namespace hinny {
namespace {

std::string without_blanks(std::string id) {
  std::ranges::replace_if(
      id, [](unsigned char byte) { return byte <= ' '; }, '_');
  return id;
}

std::vector<std::string> names_of(const Dataset& dataset, const std::vector<int>& images) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const int image : images) {
    names.push_back(without_blanks(dataset.images()[static_cast<std::size_t>(image)].id));
    if (!seen.insert(names.back()).second) {
      throw InputError(fmt::format("two images that are called '{}' without blanks", names.back()),
                       "ids that differ elsewhere");
    }
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
    write_trec(scorer.scores(l, captions, &progress), owners, {images, names, without_blanks(run)},
               prefix.string() + "." + language);
  }
}

}  // namespace hinny

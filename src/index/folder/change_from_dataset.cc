#include "index/folder/change_from_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>

#include "index/folder/index.h"

namespace hinny {
namespace {

std::vector<int> images_of(const Dataset& dataset, const std::vector<std::string>& splits) {
  std::vector<int> images;
  for (const std::string& name : splits) {
    if (name == "all") {
      images.resize(dataset.images().size());
      std::iota(images.begin(), images.end(), 0);
      return images;
    }
    const std::vector<int> part = dataset.split(name);
    images.insert(images.end(), part.begin(), part.end());
  }
  return images;
}

}  // namespace

ChosenImages images_to_index(const Dataset& dataset, const Features& features,
                             const std::vector<std::string>& splits, const TellAsked& tell) {
  const std::vector<int> asked = images_of(dataset, splits);
  const std::string names = fmt::format("{}", fmt::join(splits, "+"));
  if (tell) tell(features, asked, names);
  return {usable_images(features, asked, names), names};
}

IndexChange change_from_dataset(const std::filesystem::path& index,
                                const std::filesystem::path& data,
                                const std::vector<std::string>& splits, ChangeIndex change,
                                const TellAsked& tell) {
  const Dataset dataset = Dataset::load(data);
  const Index before = Index::open(index);
  const Features features = Features::open(dataset, before.contents().features);
  ImagesToIndex images{dataset, features, images_to_index(dataset, features, splits, tell).images};
  std::optional<Features> regions;
  if (before.reranker() != nullptr) {
    regions.emplace(Features::open(dataset, before.reranker()->contents().features));
    images.regions = &*regions;
  }
  return change(index, images);
}

}  // namespace hinny

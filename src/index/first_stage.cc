#include "index/first_stage.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

namespace hinny {
namespace {

class FirstStage {
 public:
  FirstStage(const std::filesystem::path& folder, const Index& index)
      : index_(Index::open(folder)), encoder_(index_.model()) {
    for (std::size_t i = 0; i < index.size(); ++i) positions_[index.contents().images[i]] = i;
  }

  std::vector<std::size_t> shortlist(Question question) {
    question.k = std::max(question.rerank, question.k);
    question.explain = false;
    question.min_score = -std::numeric_limits<double>::infinity();
    std::vector<std::size_t> images;
    for (const Hit& hit : ask(index_, encoder_, question).hits) {
      const auto found = positions_.find(index_.contents().images[hit.image]);
      if (found != positions_.end()) images.push_back(found->second);
    }
    return images;
  }

 private:
  Index index_;
  TextEncoder encoder_;
  std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace

std::function<std::vector<std::size_t>(const Question&)> first_stage(
    const std::filesystem::path& folder, const Index& index) {
  const auto stage = std::make_shared<FirstStage>(folder, index);
  return [stage](const Question& question) { return stage->shortlist(question); };
}

}  // namespace hinny

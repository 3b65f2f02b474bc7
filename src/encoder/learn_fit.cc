#include "encoder/learn_fit.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "base/random.h"
#include "encoder/image_encoder.h"
#include "encoder/text_encoder.h"
#include "retrieval/dot_products.h"
#include "text/language_code.h"

namespace hinny {
namespace {

constexpr double kRarest = 0.008, kMostCommon = 0.15;  // shares of the photographs with a word
constexpr std::size_t kLeastAgreed = 3;                // of which so many have it twice
constexpr std::size_t kMostWords = 200;                // of a language
constexpr std::array<std::size_t, 5> kRanks = {0, 1, 3, 7, 15};  // of the results that are judged
constexpr std::uint64_t kDraw = 52;

struct Word {
  std::string text;
  std::vector<bool> belongs;  // by photograph
};

// Captions that have a word, by photograph.
using Counts = std::map<std::string, std::map<std::size_t, int>>;

Counts count_words(TextEncoder& encoder, const Dataset& dataset, std::span<const int> images,
                   int language) {
  const std::string& code = dataset.languages()[static_cast<std::size_t>(language)];
  Counts counts;
  for (std::size_t image = 0; image < images.size(); ++image) {
    for (const int caption : dataset.captions_of(images[image], language)) {
      std::set<std::string> once;
      const std::string& text = dataset.captions()[static_cast<std::size_t>(caption)].text;
      for (const ReadWord& word : encoder.words(text, code)) {
        if (word.id != kUnknown) once.insert(word.typed);
      }
      for (const std::string& word : once) ++counts[word][image];
    }
  }
  return counts;
}

std::vector<Word> agreed_words(const Counts& counts, std::size_t images) {
  const auto all = static_cast<double>(images);
  std::vector<Word> words;
  for (const auto& [text, by_image] : counts) {
    const auto some = static_cast<double>(by_image.size());
    if (some < kRarest * all || some > kMostCommon * all) continue;
    const auto agreed = static_cast<std::size_t>(
        std::ranges::count_if(by_image, [](const auto& item) { return item.second >= 2; }));
    if (agreed < kLeastAgreed || 2 * agreed < by_image.size()) continue;
    Word word{text, std::vector<bool>(images)};
    for (const auto& [image, captions] : by_image) word.belongs[image] = true;
    words.push_back(std::move(word));
  }
  Random(kDraw).shuffle(std::span(words));
  words.resize(std::min(words.size(), kMostWords));
  return words;
}

// Results of some ranks, of all photographs and of those alone to which the word does not belong.
void judge(const Word& word, std::span<const float> scores, double known,
           std::vector<JudgedScore>& judged) {
  std::vector<std::pair<float, bool>> all, others;
  for (std::size_t image = 0; image < scores.size(); ++image) {
    all.emplace_back(scores[image], word.belongs[image]);
    if (!word.belongs[image]) others.emplace_back(scores[image], false);
  }
  for (auto* results : {&all, &others}) {
    const std::size_t most = std::min(kRanks.back() + 1, results->size());
    std::ranges::partial_sort(*results, results->begin() + static_cast<std::ptrdiff_t>(most),
                              std::greater());
    for (const std::size_t rank : kRanks) {
      if (rank >= most) break;
      const auto& [score, belongs] = (*results)[rank];
      judged.push_back({known, static_cast<double>(score), belongs});
    }
  }
}

}  // namespace

std::optional<FitCurve> learn_fit(const Model& model, const HubBank& bank, const Dataset& dataset,
                                  const Features& features, const std::string& split) {
  const std::vector<int> images = usable_images(features, dataset.split(split), split);
  std::vector<float> rows(images.size() * static_cast<std::size_t>(features.dim()));
  features.gather(images, rows);
  std::map<std::string, std::vector<float>> vectors;  // of the photographs, by space
  TextEncoder encoder(model);
  std::vector<JudgedScore> judged;
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    const std::string& code = dataset.languages()[l];
    const auto language = static_cast<int>(l);
    if (dataset.silent(language) || !find_language(model.config().languages, code)) continue;
    const std::string& space = model.text(model.language(code)).space;
    std::vector<float>& pictures = vectors[space];
    if (pictures.empty()) pictures = ImageEncoder(model).encode(rows, space);
    std::vector<float> scores(images.size());
    for (const Word& word :
         agreed_words(count_words(encoder, dataset, images, language), images.size())) {
      const std::vector<float> question = encoder.encode(word.text, code).vector;
      dot_products_alone(question.data(), 1, pictures.data(), images.size(), question.size(),
                         scores.data());
      judge(word, scores, known_score(bank.spaces.at(space).images, question), judged);
    }
  }
  return learn_curve(judged);
}

}  // namespace hinny

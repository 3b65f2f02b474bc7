#include "index/ask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "encoder/image_encoder.h"
#include "encoder/read_sentences.h"

namespace hinny {
namespace {

constexpr double kCancelled = 1e-4;  // length of a sum of unit vectors that says nothing any more

struct Meant {
  Understood understood;
  EncodedText encoded;
};

Meant read(TextEncoder& encoder, const std::string& text, const std::string& language) {
  if (!is_utf8(text)) throw InputError("a query that is broken UTF-8", "UTF-8 text");
  ReadSentence sentence = read_sentence(encoder, {language, text});
  if (sentence.encoded.nothing_known()) {
    const auto& all = encoder.model().config().languages;
    throw InputError(
        fmt::format("the model knows no word of '{}'", text),
        fmt::format("words of its training captions in {}",
                    language.empty() ? fmt::format("{}", fmt::join(all, ", ")) : language));
  }
  return {{text, std::move(sentence.guess.language), std::move(sentence.guess.equals),
           sentence.encoded.unknown_words},
          std::move(sentence.encoded)};
}

// Where the sentences are translations of each other and the model has learnt what each language
// counts for (CLC-C), a sentence weighs so much.
void weigh_by_language(const ModelConfig& config, const std::vector<Question::Part>& parts,
                       const std::vector<Understood>& texts,
                       std::vector<Query::Sentence>& sentences) {
  const auto translated = [](const Question::Part& part) { return !part.language.empty(); };
  const auto learnt = [&](const Understood& text) {
    return config.consistency.contains(text.language);
  };
  if (std::ranges::none_of(parts, translated) || !std::ranges::all_of(texts, learnt)) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sentences[i].weight *= static_cast<float>(config.consistency.at(texts[i].language));
  }
}

// The one space that all sentences are compared in; without any, the first.
std::string space_of(const Index& index, const std::vector<Understood>& texts,
                     const std::string& language) {
  const Model& model = index.model();
  std::string space = language.empty() ? "" : model.text(language).space;
  for (const Understood& text : texts) {
    const std::string& own = model.text(text.language).space;
    if (!space.empty() && space != own) {
      throw InputError(
          fmt::format("sentences in {} and {}, which this model compares with different image "
                      "vectors",
                      texts.front().language, text.language),
          "sentences in one language");
    }
    space = own;
  }
  return space.empty() ? index.contents().spaces.front() : space;
}

void check_features(const Index& index, const std::vector<float>& features) {
  const std::size_t wanted = index.model().config().features.dim();
  const bool finite = std::ranges::all_of(features, [](float x) { return std::isfinite(x); });
  if (features.size() != wanted || !finite) {
    throw InputError(fmt::format("a picture of {} features{}", features.size(),
                                 finite ? "" : ", some of them not finite"),
                     fmt::format("{} finite numbers", wanted));
  }
}

void to_unit_length(std::vector<float>& sum) {
  double squares = 0;
  for (const float x : sum) squares += static_cast<double>(x) * x;
  const double length = std::sqrt(squares);
  if (!(length > kCancelled)) {
    throw InputError("the parts of the question cancel each other out",
                     "something to look for beside what to avoid");
  }
  for (float& x : sum) x = static_cast<float>(x / length);
}

// The questions of one space.
struct Asked {
  std::vector<Query> queries;
  std::vector<Question> questions;
  std::vector<std::size_t> answers;  // whose they are
};

// The images that are asked with: no news to whoever asks.
std::vector<std::size_t> images_of(const Question& question) {
  std::vector<std::size_t> images;
  for (const Question::Part& part : question.parts) {
    if (part.image) images.push_back(*part.image);
  }
  return images;
}

std::vector<Hit> wanted(std::vector<Hit> hits, const Question& question,
                        std::span<const std::size_t> known, std::size_t k) {
  std::erase_if(hits, [&](const Hit& hit) {
    return static_cast<double>(hit.score) < question.min_score ||
           std::ranges::find(known, hit.image) != known.end();
  });
  hits.resize(std::min(hits.size(), k));
  return hits;
}

// Adds the translations of the question's first sentence.
void say_also(TextEncoder& encoder, const AskHelp& help, const std::string& sentence,
              Question& question) {
  const Meant meant = read(encoder, sentence, question.language);
  for (Question::Part& part : help.translations(sentence, meant.understood.language)) {
    if (encoder.encode(part.text, part.language).nothing_known()) continue;
    question.parts.push_back(std::move(part));
  }
}

// Region by region, those of the shortlist.
std::vector<Hit> compared(const Index& index, const Query& query, const Question& question,
                          const AskHelp& help, std::size_t k) {
  std::vector<std::size_t> images;
  if (help.shortlist) {
    images = help.shortlist(question);
  } else {
    const std::size_t most = std::min(index.size(), std::max(question.rerank, k));
    for (const Hit& hit : index.search(query, most)) images.push_back(hit.image);
  }
  return attended_hits(index, query.sentences, images, k);
}

std::vector<std::vector<Hit>> hits_of(const Index& index, const Asked& asked, const AskHelp& help,
                                      std::size_t k) {
  if (help.shortlist && !index.attends()) {
    throw InputError("a shortlist for a model that compares vectors",
                     "an index of a model that compares words with regions (scan)");
  }
  if (!index.attends() || asked.queries.front().sentences.empty()) {
    return index.search(asked.queries, k);
  }
  std::vector<std::vector<Hit>> hits;
  for (std::size_t i = 0; i < asked.queries.size(); ++i) {
    hits.push_back(compared(index, asked.queries[i], asked.questions[i], help, k));
  }
  return hits;
}

void explain_hits(const Index& index, const Query& query, Answer& answer) {
  if (query.sentences.empty()) {
    throw InputError("an explanation of what is no sentence alone, or of a model without regions",
                     "sentences, and an index of a model with regions (san, dan, scan)");
  }
  for (const Hit& hit : answer.hits) {
    answer.explanations.push_back(explain(index, query.sentences.front().text, hit.image));
  }
}

}  // namespace

std::vector<float> picture_vector(const Index& index, const Question::Part& part,
                                  const std::string& space) {
  if (part.image) return index.vector(*part.image, space);
  check_features(index, part.features);
  return ImageEncoder(index.model()).encode(part.features, space);
}

std::vector<float> picture_regions(const Index& index, const Question::Part& part,
                                   const std::string& space) {
  std::vector<float> regions;
  if (part.image) {
    index.read_regions(*part.image, regions);
    return regions;
  }
  check_features(index, part.features);
  return ImageEncoder(index.model()).encode_regions(part.features, space).items;
}

Question::Part translation_of(const std::string& also) {
  const std::size_t equals = also.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == also.size()) {
    throw InputError(fmt::format("also '{}'", also), "LANGUAGE=TEXT, for example en=a dog");
  }
  return {also.substr(equals + 1), {}, {}, 1, also.substr(0, equals)};
}

Query understand(const Index& index, TextEncoder& encoder, const Question& question,
                 std::vector<Understood>& texts) {
  if (question.parts.empty()) throw InputError("an empty question", "a sentence or a picture");
  std::vector<Query::Sentence> sentences;
  for (const Question::Part& part : question.parts) {
    if (part.image || !part.features.empty()) continue;
    Meant sentence =
        read(encoder, part.text, part.language.empty() ? question.language : part.language);
    texts.push_back(std::move(sentence.understood));
    sentences.push_back({std::move(sentence.encoded), part.weight});
  }
  weigh_by_language(index.model().config(), question.parts, texts, sentences);
  Query query{index.contents().model, space_of(index, texts, question.language), {}, {}};
  const bool as_it_is = question.parts.size() == 1 && question.parts.front().weight == 1;
  auto sentence = sentences.begin();
  for (const Question::Part& part : question.parts) {
    std::vector<float> vector;
    float weight = part.weight;
    if (part.image || !part.features.empty()) {
      vector = picture_vector(index, part, query.space);
    } else {
      weight = sentence->weight;
      vector = sentence++->text.vector;
    }
    if (as_it_is) {  // to the last bit
      query.vector = std::move(vector);
      break;
    }
    query.vector.resize(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) query.vector[i] += weight * vector[i];
  }
  if (!as_it_is) to_unit_length(query.vector);
  if (index.regions() > 1 && sentences.size() == question.parts.size()) {
    query.sentences = std::move(sentences);
  }
  return query;
}

Answer ask(const Index& index, TextEncoder& encoder, const Question& question) {
  return std::move(ask_each(index, encoder, {}, question).front());
}

std::vector<Answer> ask_each(const Index& index, TextEncoder& encoder,
                             std::span<const std::string> sentences, const Question& shared,
                             const AskHelp& help) {
  std::vector<Answer> answers(std::max<std::size_t>(sentences.size(), 1));
  std::map<std::string, Asked> by_space;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Question question = shared;
    if (!sentences.empty()) {
      answers[i].sentence = sentences[i];
      question.parts.insert(question.parts.begin(), Question::Part{sentences[i], {}, {}, 1});
      if (help.translations) say_also(encoder, help, sentences[i], question);
    }
    Query query = understand(index, encoder, question, answers[i].texts);
    Asked& asked = by_space[query.space];
    asked.queries.push_back(std::move(query));
    asked.questions.push_back(std::move(question));
    asked.answers.push_back(i);
  }
  const std::vector<std::size_t> known = images_of(shared);
  for (const auto& [space, asked] : by_space) {
    const std::size_t k = std::min(shared.k, index.size());
    auto found = hits_of(index, asked, help, k + known.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      Answer& answer = answers[asked.answers[i]];
      answer.hits = wanted(std::move(found[i]), shared, known, k);
      if (shared.explain) explain_hits(index, asked.queries[i], answer);
    }
  }
  return answers;
}

double shown_score(float score) { return std::round(static_cast<double>(score) * 1e6) / 1e6; }

}  // namespace hinny

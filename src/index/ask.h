// A question in words, pictures or both -> the pictures of an index that fit best.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "encoder/text_encoder.h"
#include "index/attended.h"
#include "index/index.h"

namespace hinny {

struct Question {
  // What the pictures should be like, or, with a negative weight, unlike. One of the three is set.
  struct Part {
    std::string text;                  // a sentence
    std::vector<float> features;       // of a picture: config().features.dim() numbers
    std::optional<std::size_t> image;  // a picture of the index, which is then no hit itself
    float weight = 1;
    std::string language{};  // of this sentence; "": the question's
  };
  std::vector<Part> parts;
  std::string language;  // of the sentences; "" guesses each one's
  std::size_t k = 10;
  double min_score = -std::numeric_limits<double>::infinity();
  // Of an index whose model compares regions: so many of the pictures that fit best by their
  // vectors are compared, k at least.
  std::size_t rerank = 1000;
  bool explain = false;
};

// How a sentence was read.
struct Understood {
  std::string text;
  std::string language;
  std::vector<std::string> equals;  // languages that fit as well (encoder/language.h)
  std::vector<std::string> unknown_words;
};

struct Answer {
  std::string sentence;                   // that was asked with (ask_each), or ""
  std::vector<Understood> texts;          // in the order of the parts
  std::vector<Hit> hits;                  // best first
  std::vector<Explanation> explanations;  // of each hit, by the first sentence; when asked for
};

// The vector of a part that is a picture. Throws InputError as below.
std::vector<float> picture_vector(const Index& index, const Question::Part& part,
                                  const std::string& space);

// Its regions, where the index attends(). Throws likewise.
std::vector<float> picture_regions(const Index& index, const Question::Part& part,
                                   const std::string& space);

// `also` of the search: LANGUAGE=TEXT, the same question in another language, scored together with
// it (CLC-A, Burns et al. 2020, Sec. 3.4: the mean of scores is the score of the mean vector).
// Where the model's `consistency` has all of the question's languages, each sentence weighs so much
// in that mean (CLC-C).
// Throws InputError for another form.
Question::Part translation_of(const std::string& also);

// The question as one unit vector: the parts' unit vectors, weighted and added; scores are cosines.
// Throws InputError for a question without parts, broken UTF-8, a sentence without any word that
// the model knows, a language that it lacks, features of another size or not finite, an image
// outside the index, sentences of languages that the model compares in different spaces, and parts
// that cancel out. Where pictures have regions, sentences without pictures stay beside the vector.
Query understand(const Index& index, TextEncoder& encoder, const Question& question,
                 std::vector<Understood>& texts);

// Understands and searches. `encoder` is that of index.model(), one per thread.
Answer ask(const Index& index, TextEncoder& encoder, const Question& question);

// What answers are helped by, beside the index. Each may be empty.
struct AskHelp {
  // Pictures that a question might be about: positions in the index, whose model compares regions.
  // Only they are compared.
  std::function<std::vector<std::size_t>(const Question&)> shortlist{};
  // A sentence in other languages, each with its own; they are scored together with it. What the
  // model knows no word of is left out.
  std::function<std::vector<Question::Part>(const std::string& text, const std::string& language)>
      translations{};
};

// A question for each sentence, which stands before the parts that all of them share; without
// sentences `shared` is the one question. The collection is read once for all of one space.
std::vector<Answer> ask_each(const Index& index, TextEncoder& encoder,
                             std::span<const std::string> sentences, const Question& shared,
                             const AskHelp& help = {});

// A score as programs read it, to six decimals: the rest is rounding.
double shown_score(float score);

}  // namespace hinny

// The fields of a question as people and programs set them: each is declared here, once. The
// options of `hinny search`, the fields of /v1/search, openapi.json and docs/http-api.md follow, or
// are compared with this by a test.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "index/asking/question.h"

namespace hinny {

// What the fields set; a fresh one has their defaults.
struct AskedFields {
  std::vector<std::string> sentences{};  // one question each
  std::vector<std::string> also{};       // LANGUAGE=TEXT
  std::string language{};
  std::size_t k = Question{}.k;
  double min_score = Question{}.min_score;
  double min_fit = Question{}.min_fit;
  std::vector<std::string> like{};  // ids
  std::vector<std::string> unwanted{};
  std::vector<GivenPicture> pictures{};
  float picture_weight = 1;
  float unwanted_weight = 0.5F;
  std::string since{}, until{}, folder{};
  std::string near{}, within{}, town{}, camera{}, lens{};
  std::string shape = "any";
  std::string min_size{}, max_size{};
  std::string sort = "score";
  std::string kind = "any";
  bool near_copies = false;
  bool each_frame = false;
  bool literal = false;
  std::size_t rerank = Question{}.rerank;
  bool explain = false;
  bool translate = false;

  // Nothing that a picture could be like.
  bool asks_nothing() const { return sentences.empty() && pictures.empty() && like.empty(); }
  // No sentence in it, wanted or not.
  bool says_nothing() const { return sentences.empty() && also.empty() && unwanted.empty(); }
  // `also` says one sentence in other words.
  bool also_is_of_no_sentence() const { return !also.empty() && sentences.size() != 1; }
};

struct QuestionField {
  // Its type: several texts, a text, a count, a number, a weight, a flag, or pictures.
  using Member =
      std::variant<std::vector<std::string> AskedFields::*, std::string AskedFields::*,
                   std::size_t AskedFields::*, double AskedFields::*, float AskedFields::*,
                   bool AskedFields::*, std::vector<GivenPicture> AskedFields::*>;
  // Of counts and weights, both ends allowed; over HTTP a weight is anything above its least.
  struct Range {
    double least = 0, most = 0;
  };
  std::string_view name;    // in a URL, a form or JSON
  std::string_view option;  // of the command line
  Member member;
  std::string_view meaning;                 // the option's help and the description in openapi.json
  Range on_command_line{};                  // one user's own machine
  Range over_http{};                        // a server that others share
  std::vector<std::string_view> choices{};  // a text is one of these, where there are any
  // Options of which one must be there for this one to have an effect; empty: it needs none.
  std::vector<std::string> beside{};
  bool of_folder = false;           // a database has no answer to it: the index's own files do
  bool asks_for_sentences = false;  // acts in search --sentences too, which asks the other way
};

std::span<const QuestionField> question_fields();
// nullptr when there is none of this name.
const QuestionField* question_field(std::string_view name);

// LANGUAGE=TEXT: the same question in another language, scored together with it (CLC-A, Burns et
// al. 2020, Sec. 3.4: the mean of scores is the score of the mean vector). Where the model's
// `consistency` has all of the question's languages, each sentence weighs so much in that mean
// (CLC-C). Throws RequestError for another form.
Sentence translation_of(const std::string& also);

// All but the sentences, which differ from question to question: pictures, `like`, `also`, `not`.
// Throws as translation_of, and RequestError for what is none of a field's choices, a time that is
// none, a fit that is no chance, or a least score that is no number.
Question shared_question(const AskedFields& fields);

}  // namespace hinny

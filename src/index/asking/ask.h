// A question in words, pictures or both -> the pictures of an index that fit best.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "index/asking/engine.h"
#include "index/asking/question.h"
#include "index/asking/read_question.h"
#include "index/folder/index.h"

namespace hinny {

// What answers are helped by, beside the index. Each may be empty.
struct AskHelp {
  // Reads the pictures that are asked with.
  const PictureReader* pictures = nullptr;
  // Pictures that a question might be about: positions in the index, whose model compares regions.
  // Only they are compared.
  std::function<std::vector<std::size_t>(const Question&)> shortlist{};
  // Reads sentences for the re-ranking model that the index has; without it there is none.
  ReadOne read_for_reranker{};
  // A sentence in other languages, each with its own; they are scored together with it. What the
  // model knows no word of is left out.
  std::function<std::vector<Sentence>(const std::string& text, const std::string& language)>
      translations{};
  // What holds the pictures' vectors, where the index's own are not asked.
  const Engine* engine = nullptr;
};

// A question for each sentence, which stands before the parts that all of them share; without
// sentences `shared` is the one question. The collection is read once for all of one space, and
// each sentence and picture once. Throws as QuestionReader, query_of and the engine do, and
// RequestError for a shortlist or an explanation that this model or an engine cannot give.
std::vector<Answer> ask_each(const Index& index, const ReadOne& read,
                             std::span<const std::string> sentences, const Question& shared,
                             const AskHelp& help = {});

// A question for each of these vectors of a space of the index, [questions, dim], by dot product as
// they are: neither hubs nor a re-ranking model count. Of `shared` all but its parts and its
// language.
std::vector<Answer> ask_with_vectors(const Index& index, std::span<const float> vectors,
                                     const std::string& space, const Question& shared);

// One question. `encoder` is that of index.model(), one per thread.
Answer ask(const Index& index, TextEncoder& encoder, const Question& question);

}  // namespace hinny

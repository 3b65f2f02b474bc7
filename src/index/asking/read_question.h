// A question's sentences and pictures, encoded -> the query that an index is searched with.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "encoder/text_encoder.h"
#include "index/asking/question.h"
#include "index/folder/index.h"

namespace hinny {

class Engine;

// Finds out a sentence's language unless it is given, and encodes it.
using ReadOne = std::function<ReadSentence(const Sentence&)>;
// `encoder` must outlive it; for one thread.
ReadOne reading_with(TextEncoder& encoder);

// The vector of a picture that an engine holds, not the index.
struct StoredVector {
  std::vector<float> numbers;
};
// A picture that was asked with: its features, or its position in the index.
using SeenPicture = std::variant<std::vector<float>, std::size_t, StoredVector>;

// A part of a question, read. What a sentence means is all in it: nothing after this needs an
// encoder, so no sentence is encoded twice.
struct ReadPart {
  struct Said {
    Sentence given;
    Understood understood;
    EncodedText encoded;
  };
  std::variant<Said, SeenPicture> what;
  float weight = 1;

  const Said* said() const { return std::get_if<Said>(&what); }
};

// Throws RequestError for broken UTF-8, a sentence without any word that the model knows, a
// language that it lacks, and features of another size or not finite; UnknownImage; and as `read`
// and `pictures` do.
class QuestionReader {
 public:
  // The index, what reads pictures, and the engine that holds their vectors if one does, must
  // outlive it.
  // Without `pictures`, given ones are refused.
  QuestionReader(const Index& index, ReadOne read, const PictureReader* pictures = nullptr,
                 const Engine* engine = nullptr);

  // `language` is that of sentences without one of their own.
  ReadPart part(const Question::Part& part, const std::string& language) const;
  // The features, or the position, of a part that is no sentence.
  SeenPicture picture(const Question::Part& part) const;
  // None where the model knows no word of it.
  std::optional<ReadPart> translation(const Sentence& sentence) const;

 private:
  ReadPart said(const Sentence& given, ReadSentence&& sentence, float weight) const;
  const Index& index_;
  ReadOne read_;
  const PictureReader* pictures_;
  const Engine* engine_;
};

// Where the image is. Throws UnknownImage.
std::size_t position_of(const Index& index, const std::string& image);

// A picture's vector and, where the index attends(), its regions.
std::vector<float> picture_vector(const Index& index, const SeenPicture& picture,
                                  const std::string& space);
std::vector<float> picture_regions(const Index& index, const SeenPicture& picture,
                                   const std::string& space);

// The parts as one unit vector: their unit vectors, weighted and added; scores are cosines.
// `language` is the question's, or "". Throws RequestError without parts, for sentences of
// languages that the model compares in different spaces, and for parts that cancel out. Where
// pictures have regions, sentences without pictures stay beside the vector.
Query query_of(const Index& index, std::span<const ReadPart> parts, const std::string& language);

}  // namespace hinny

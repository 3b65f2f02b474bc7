// What a collection is asked, and what it answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/request_error.h"
#include "encoder/read_sentences.h"
#include "index/asking/explanation.h"
#include "index/asking/filter.h"
#include "index/asking/spoken_filters.h"
#include "vision/picture_reader.h"

namespace hinny {

constexpr std::size_t kCompared = 1000;
constexpr std::size_t kReranked = 100;

struct Question {
  struct Features {
    std::vector<float> numbers;  // of a picture: config().features.dim()
  };
  struct Indexed {
    std::string image;  // the id of a picture of the index, which is then no hit itself
  };
  // What the pictures should be like, or, with a negative weight, unlike. A sentence without a
  // language is in the question's; one with its own is a translation of the others.
  struct Part {
    std::variant<Sentence, GivenPicture, Features, Indexed> what;
    float weight = 1;
  };
  std::vector<Part> parts;
  std::string language;  // of the sentences; "" guesses each one's
  std::size_t k = 10;
  double min_score = -std::numeric_limits<double>::infinity();
  // The same by the fit of each (retrieval/fit.h), between 0 and 1; 0: whatever it is. RequestError
  // where the model does not know what a score says, or the question is not of sentences alone.
  double min_fit = 0;
  // Of an index whose model compares regions, or that has a re-ranking model: so many of the
  // pictures that fit best by their vectors are compared, k at least; 0: kCompared or kReranked.
  std::size_t rerank = 0;
  std::size_t most_compared = std::numeric_limits<std::size_t>::max();  // whatever `rerank` says
  bool explain = false;
  // Say where below its folder each picture lies, and when it was taken, where the index knows.
  bool details = false;
  Filter filter{};
  // Its sentences are read as they are; else times, towns, cameras and folders in them filter
  // (spoken_filters.h), where the index was made from a folder of pictures.
  bool literal = true;
  // By time: with a min_score the k newest of all pictures that reach it, else the k best, newest
  // first. RequestError where the index knows no times.
  enum class Order { score, time } order = Order::score;
  // Pictures that are near copies (index/asking/near_copies.h) of one that stands before them are
  // its copies and no results of their own; k counts results.
  bool near_copies = false;
  // Each frame of a film is a result of its own; else a film is one result, the frame that comes
  // first in the question's order, and k counts films as pictures.
  bool each_frame = false;

  std::size_t compared(std::size_t standard) const {
    return std::min(rerank == 0 ? standard : rerank, most_compared);
  }
  bool has_least_score() const { return min_score > -std::numeric_limits<double>::infinity(); }
};

// How a sentence was read.
struct Understood {
  std::string text;
  std::string language;
  std::vector<std::string> equals;  // languages that fit as well (encoder/language.h)
  std::vector<std::string> unknown_words;
  std::vector<EncodedText::Guess> guessed_words{};  // read as words that look like them
};

struct Found {
  std::string image;  // its id
  std::string file;   // "" when the index knows none
  float score = 0;
  std::optional<double> fit{};  // the chance that it belongs to the question, where that is known
  // When asked for; "" when the index does not know.
  std::string below{};       // the file, seen from the folder that holds all pictures
  std::string taken{};       // "2024-06-15 10:30:00"
  std::string taken_from{};  // "exif", "xmp", "name", "film", "file": what says so
  std::optional<Coordinates> place{};
  std::string town{}, camera{}, lens{}, exposure{};
  FolderFacts::Size size{};
  std::vector<std::string> raw{};            // names of raw files beside it, of the same photograph
  std::optional<Explanation> explanation{};  // by the question's first sentence; when asked for
  std::vector<Found> copies{};               // near copies of it, in the question's order
};

struct Answer {
  std::string sentence;           // that was asked with, or ""
  std::vector<Understood> texts;  // in the order of the question's parts
  std::vector<Heard> heard{};     // in the sentence, beside the picture
  std::vector<Found> found;       // in the question's order
};

// No image of the collection has this id.
class UnknownImage : public RequestError {
 public:
  explicit UnknownImage(std::string id);
  const std::string& id() const { return id_; }

 private:
  std::string id_;
};

// A score as programs read it, to six decimals: the rest is rounding. A fit to three: the rest is
// no knowledge.
double shown_score(float score);
double shown_fit(double fit);

}  // namespace hinny

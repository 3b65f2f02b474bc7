// Beam search's bookkeeping for one sentence: which beginnings of its translation are kept. The
// caller says what follows a beginning. No translation is empty, as long as words may follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hinny {

struct SearchOptions {
  std::int64_t beam = 5;  // 1: greedy
  std::int64_t best = 1;  // translations wanted of each sentence, at most `beam`
  // A translation's score is its log-probability over its length to this power (0: the sum).
  double length_power = 1.0;
  std::vector<std::int32_t> never;  // ids that are not written
};

// How many words a translation may have, its end included.
constexpr std::int64_t most_words(std::int64_t source_words) { return 2 * source_words + 10; }

struct Hypothesis {
  std::vector<std::int32_t> ids;       // up to and with kEnd, unless it grew too long
  std::vector<std::int32_t> attended;  // for each id the source word that it looked at most
  double score = 0;
};

// What a hypothesis says.
struct Translation {
  std::string text;
  double score = 0;  // log-probability per subword
};

class Beam {
 public:
  // `options` must outlive it.
  explicit Beam(const SearchOptions& options) : options_(&options) {}

  // Words that may follow the beginnings, at most 2 * options.beam, the most probable first. Each
  // is a beginning's row times the vocabulary, plus the word.
  struct Candidates {
    const double* scores = nullptr;  // log-probability of the beginning and the word
    const std::int64_t* places = nullptr;
    const std::int64_t* attended = nullptr;  // of each row
    std::int64_t count = 0;
  };
  // A beginning that is kept: the row that it goes on from, and its last word.
  struct Choice {
    std::int64_t row = 0;
    std::int32_t word = 0;
    double score = 0;
  };
  // The beginnings of the next step, at most options.beam, best first, whose rows they are; the
  // first step has one row, the empty beginning. None when the search has ended, as it does after
  // the `last` step.
  std::vector<Choice> step(const Candidates& candidates, std::int64_t vocabulary, bool last);
  // After its end: the translations, at most options.best, best first.
  std::vector<Hypothesis> take();

 private:
  // A word and where it came from.
  struct Link {
    std::int32_t word = 0;
    std::int32_t attended = 0;
    std::int64_t before = -1;  // in links_; -1: none
  };
  struct Kept {
    Choice choice;
    std::int64_t link = 0;
  };
  std::vector<Kept> choose(const Candidates& candidates, std::int64_t vocabulary);
  bool finished(const Kept& best) const;
  bool says_something() const;
  void end(std::int64_t link, double score);
  double normalised(double score) const;

  const SearchOptions* options_;
  std::int64_t length_ = 0;  // words of the beginnings, with this step's
  std::vector<Link> links_;
  std::vector<std::int64_t> ends_ = {-1};  // of the beginnings that live, in links_
  std::vector<Hypothesis> done_;
};

}  // namespace hinny

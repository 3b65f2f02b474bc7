#include "translation/beam_search.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/vocabulary.h"
#include "translation/ragged.h"

namespace hinny {
namespace {

constexpr std::int64_t kMostMore = 10;  // words beyond twice the source's
constexpr double kNever = -std::numeric_limits<double>::infinity();

// A beginning of a translation: its last word and where it came from.
struct Link {
  std::int32_t word = 0;
  std::int32_t attended = 0;
  std::int64_t before = -1;  // in Sentence::links; -1: none
};

struct Sentence {
  std::size_t number = 0;
  std::vector<Link> links;
  std::vector<std::int64_t> ends;  // of the beginnings that live, in links
  std::vector<Hypothesis> done;
};

class Search {
 public:
  Search(TranslationNet& net, SourceStates source, const SearchOptions& options)
      : net_(net), source_(std::move(source)), options_(options) {
    const std::int64_t count = source_.sentences();
    results_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      living_.push_back({static_cast<std::size_t>(i), {}, {-1}, {}});
    state_ = net_.start(source_);
    scores_ = at::zeros({count, 1}, source_.start.options());
    never_ = at::zeros({net.options().vocabulary}, source_.start.options());
    for (const std::int32_t id : options.never) never_[id] = kNever;
  }

  std::vector<std::vector<Hypothesis>> run() {
    const std::int64_t most = 2 * source_.states.size(2) + kMostMore;
    for (std::int64_t length = 1; length <= most && !living_.empty(); ++length) {
      step(length, length == most);
    }
    return std::move(results_);
  }

 private:
  void step(std::int64_t length, bool last) {
    const auto count = static_cast<std::int64_t>(living_.size());
    const std::int64_t width = scores_.size(1), vocabulary = net_.options().vocabulary;
    const Prediction next = net_.predict(source_, state_.hidden.view({count, width, -1}));
    const torch::Tensor totals =
        (next.log_probabilities + never_ + scores_.unsqueeze(2)).view({count, width * vocabulary});
    // Of twice as many, enough do not end for the next step.
    const std::int64_t wanted = std::min(2 * options_.beam, width * vocabulary);
    auto [values, places] = at::topk(totals, wanted, 1);
    values = values.to(at::kCPU).to(at::kDouble);
    places = places.to(at::kCPU);
    const torch::Tensor attended = next.weights.sum(2).argmax(2).to(at::kCPU);  // [count, width]

    std::vector<std::int64_t> staying, rows;
    std::vector<std::int32_t> words;
    std::vector<double> scores;
    std::vector<Sentence> living;
    for (std::int64_t s = 0; s < count; ++s) {
      Sentence& sentence = living_[static_cast<std::size_t>(s)];
      const Candidates candidates{values[s].data_ptr<double>(), places[s].data_ptr<std::int64_t>(),
                                  attended[s].data_ptr<std::int64_t>(), wanted};
      std::vector<Choice> chosen = choose(sentence, candidates, vocabulary, length);
      if (last || chosen.empty() || finished(sentence, chosen.front(), length)) {
        if (sentence.done.empty()) {  // it grew too long
          for (const Choice& choice : chosen) end(sentence, choice.link, choice.score, length);
        }
        give(sentence);
        continue;
      }
      // Every sentence has as many rows; a spare one never wins.
      while (static_cast<std::int64_t>(chosen.size()) < options_.beam) {
        chosen.push_back(chosen.front());
        chosen.back().score = kNever;
      }
      sentence.ends.clear();
      for (const Choice& choice : chosen) {
        rows.push_back(s * width + choice.row);
        words.push_back(sentence.links[static_cast<std::size_t>(choice.link)].word);
        scores.push_back(choice.score);
        sentence.ends.push_back(choice.link);
      }
      staying.push_back(s);
      living.push_back(std::move(sentence));
    }
    go_on(std::move(living), staying, rows, words, scores);
  }

  struct Candidates {
    const double* scores;
    const std::int64_t* places;
    const std::int64_t* attended;  // of each row
    std::int64_t count;
  };
  struct Choice {
    std::int64_t row = 0;   // of the beginning that it goes on from
    std::int64_t link = 0;  // its own
    double score = 0;
  };

  // The best beginnings that go on; those that end and would be among them are done.
  std::vector<Choice> choose(Sentence& sentence, const Candidates& candidates,
                             std::int64_t vocabulary, std::int64_t length) const {
    std::vector<Choice> chosen;
    for (std::int64_t i = 0; i < candidates.count; ++i) {
      const double score = candidates.scores[i];
      if (std::isinf(score) || static_cast<std::int64_t>(chosen.size()) == options_.beam) break;
      const std::int64_t row = candidates.places[i] / vocabulary;
      const auto word = static_cast<std::int32_t>(candidates.places[i] % vocabulary);
      sentence.links.push_back({word, static_cast<std::int32_t>(candidates.attended[row]),
                                sentence.ends[static_cast<std::size_t>(row)]});
      const auto link = static_cast<std::int64_t>(sentence.links.size()) - 1;
      if (word != kEnd) {
        chosen.push_back({row, link, score});
      } else if (i < options_.beam) {
        end(sentence, link, score, length);
      }
    }
    return chosen;
  }

  // Longer ones may still overtake by their length; as many as were asked for are enough.
  bool finished(const Sentence& sentence, const Choice& best, std::int64_t length) const {
    if (static_cast<std::int64_t>(sentence.done.size()) >= options_.beam) return true;
    if (options_.length_power > 0 || sentence.done.empty()) return false;
    return static_cast<std::int64_t>(sentence.done.size()) >= options_.best &&
           best_score(sentence) >= normalised(best.score, length);
  }

  static double best_score(const Sentence& sentence) {
    double best = kNever;
    for (const Hypothesis& hypothesis : sentence.done) best = std::max(best, hypothesis.score);
    return best;
  }

  double normalised(double score, std::int64_t length) const {
    return score / std::pow(static_cast<double>(length), options_.length_power);
  }

  void end(Sentence& sentence, std::int64_t link, double score, std::int64_t length) const {
    Hypothesis hypothesis;
    hypothesis.score = normalised(score, length);
    for (; link >= 0; link = sentence.links[static_cast<std::size_t>(link)].before) {
      hypothesis.ids.push_back(sentence.links[static_cast<std::size_t>(link)].word);
      hypothesis.attended.push_back(sentence.links[static_cast<std::size_t>(link)].attended);
    }
    std::reverse(hypothesis.ids.begin(), hypothesis.ids.end());
    std::reverse(hypothesis.attended.begin(), hypothesis.attended.end());
    sentence.done.push_back(std::move(hypothesis));
  }

  void give(Sentence& sentence) {
    std::vector<Hypothesis>& done = sentence.done;
    std::stable_sort(done.begin(), done.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
    if (static_cast<std::int64_t>(done.size()) > options_.best) {
      done.resize(static_cast<std::size_t>(options_.best));
    }
    results_[sentence.number] = std::move(done);
  }

  void go_on(std::vector<Sentence> living, const std::vector<std::int64_t>& staying,
             const std::vector<std::int64_t>& rows, const std::vector<std::int32_t>& words,
             const std::vector<double>& scores) {
    const auto device = source_.start.device();
    if (living.size() < living_.size()) source_ = source_.rows(positions(staying).to(device));
    living_ = std::move(living);
    if (living_.empty()) return;
    state_ = net_.advance(state_.rows(positions(rows).to(device)), positions(words).to(device));
    scores_ = at::empty({static_cast<std::int64_t>(scores.size())}, at::kDouble);
    std::copy(scores.begin(), scores.end(), scores_.data_ptr<double>());
    scores_ = scores_.to(source_.start.options())
                  .view({static_cast<std::int64_t>(living_.size()), options_.beam});
  }

  TranslationNet& net_;
  SourceStates source_;
  const SearchOptions& options_;
  std::vector<Sentence> living_;  // a row of source_ each, options_.beam rows of state_
  DecoderState state_;
  torch::Tensor scores_;  // [living, beam] log-probabilities so far
  torch::Tensor never_;   // [vocabulary] 0, or -infinity
  std::vector<std::vector<Hypothesis>> results_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(TranslationNet& net, const SourceStates& source,
                                                 const SearchOptions& options) {
  const torch::NoGradGuard no_gradient;
  return Search(net, source, options).run();
}

}  // namespace hinny

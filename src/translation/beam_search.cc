#include "translation/beam_search.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

namespace hinny {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Sentence {
  std::size_t number = 0;
  std::int64_t most = 0;  // words
  Beam beam;
};

class Search {
 public:
  Search(TranslationNet& net, SourceStates source, const SearchOptions& options)
      : net_(net), source_(std::move(source)), options_(options) {
    const std::int64_t count = source_.sentences();
    results_.resize(static_cast<std::size_t>(count));
    const torch::Tensor words = source_.mask.eq(0).sum(1).to(at::kCPU);
    for (std::int64_t i = 0; i < count; ++i) {
      living_.push_back(
          {static_cast<std::size_t>(i), most_words(words[i].item<std::int64_t>()), Beam(options)});
    }
    state_ = net_.start(source_);
    scores_ = at::zeros({count, 1}, source_.start.options());
    never_ = at::zeros({net.options().vocabulary}, source_.start.options());
    for (const std::int32_t id : options.never) never_[id] = kNever;
  }

  std::vector<std::vector<Hypothesis>> run() {
    for (std::int64_t length = 1; !living_.empty(); ++length) step(length);
    return std::move(results_);
  }

 private:
  void step(std::int64_t length) {
    const auto count = static_cast<std::int64_t>(living_.size());
    const std::int64_t width = scores_.size(1), vocabulary = net_.options().vocabulary;
    const torch::Tensor next = net_.predict(state_).view({count, width, vocabulary});
    const torch::Tensor totals =
        (next + never_ + scores_.unsqueeze(2)).view({count, width * vocabulary});
    // Of twice as many, enough do not end for the next step.
    const std::int64_t wanted = std::min(2 * options_.beam, width * vocabulary);
    auto [values, places] = at::topk(totals, wanted, 1);
    values = values.to(at::kCPU).to(at::kDouble);
    places = places.to(at::kCPU);
    const torch::Tensor attended = state_.weights.sum(2).argmax(2).to(at::kCPU);  // [count, width]

    std::vector<std::int64_t> staying, rows;
    std::vector<std::int32_t> words;
    std::vector<double> scores;
    std::vector<Sentence> living;
    for (std::int64_t s = 0; s < count; ++s) {
      Sentence& sentence = living_[static_cast<std::size_t>(s)];
      std::vector<Beam::Choice> chosen =
          sentence.beam.step({values[s].data_ptr<double>(), places[s].data_ptr<std::int64_t>(),
                              attended[s].data_ptr<std::int64_t>(), wanted},
                             vocabulary, length == sentence.most);
      if (chosen.empty()) {
        results_[sentence.number] = sentence.beam.take();
        continue;
      }
      // Every sentence has as many rows; a spare one never wins.
      while (static_cast<std::int64_t>(chosen.size()) < options_.beam) {
        chosen.push_back(chosen.front());
        chosen.back().score = kNever;
      }
      for (const Beam::Choice& choice : chosen) {
        rows.push_back(s * width + choice.row);
        words.push_back(choice.word);
        scores.push_back(choice.score);
      }
      staying.push_back(s);
      living.push_back(std::move(sentence));
    }
    go_on(std::move(living), staying, rows, words, scores);
  }

  void go_on(std::vector<Sentence> living, const std::vector<std::int64_t>& staying,
             const std::vector<std::int64_t>& rows, const std::vector<std::int32_t>& words,
             const std::vector<double>& scores) {
    const auto device = source_.start.device();
    if (living.size() < living_.size()) source_ = source_.rows(positions(staying).to(device));
    living_ = std::move(living);
    if (living_.empty()) return;
    state_ = net_.advance(source_, state_, positions(rows).to(device), positions(words).to(device));
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

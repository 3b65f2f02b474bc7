#include "text/beam.h"

#include <algorithm>
#include <cmath>

#include "text/vocabulary.h"

namespace hinny {
namespace {

bool is_empty(const Hypothesis& hypothesis) { return hypothesis.ids.front() == kEnd; }

}  // namespace

std::vector<Beam::Choice> Beam::step(const Candidates& candidates, std::int64_t vocabulary,
                                     bool last) {
  ++length_;
  const std::vector<Kept> kept = choose(candidates, vocabulary);
  if (last || kept.empty() || finished(kept.front())) {
    if (!says_something()) {  // it grew too long
      for (const Kept& one : kept) end(one.link, one.choice.score);
    }
    return {};
  }
  std::vector<Choice> choices;
  ends_.clear();
  for (const Kept& one : kept) {
    choices.push_back(one.choice);
    ends_.push_back(one.link);
  }
  return choices;
}

// The best beginnings that go on; those that end and would be among them are done.
std::vector<Beam::Kept> Beam::choose(const Candidates& candidates, std::int64_t vocabulary) {
  std::vector<Kept> kept;
  for (std::int64_t i = 0; i < candidates.count; ++i) {
    const double score = candidates.scores[i];
    if (std::isinf(score) || static_cast<std::int64_t>(kept.size()) == options_->beam) break;
    const std::int64_t row = candidates.places[i] / vocabulary;
    const auto word = static_cast<std::int32_t>(candidates.places[i] % vocabulary);
    links_.push_back({word, static_cast<std::int32_t>(candidates.attended[row]),
                      ends_[static_cast<std::size_t>(row)]});
    const auto link = static_cast<std::int64_t>(links_.size()) - 1;
    if (word != kEnd) {
      kept.push_back({{row, word, score}, link});
    } else if (i < options_->beam) {
      end(link, score);
    }
  }
  return kept;
}

// Longer ones may still overtake by their length; as many as were asked for are enough.
bool Beam::finished(const Kept& best) const {
  if (!says_something()) return false;
  if (static_cast<std::int64_t>(done_.size()) >= options_->beam) return true;
  if (options_->length_power > 0) return false;
  const auto better = [](const Hypothesis& a, const Hypothesis& b) { return a.score < b.score; };
  return static_cast<std::int64_t>(done_.size()) >= options_->best &&
         std::ranges::max_element(done_, better)->score >= normalised(best.choice.score);
}

// Of what has ended so far: nothing is no translation, where there is another.
bool Beam::says_something() const { return !std::ranges::all_of(done_, is_empty); }

double Beam::normalised(double score) const {
  return score / std::pow(static_cast<double>(length_), options_->length_power);
}

void Beam::end(std::int64_t link, double score) {
  Hypothesis hypothesis;
  hypothesis.score = normalised(score);
  for (; link >= 0; link = links_[static_cast<std::size_t>(link)].before) {
    hypothesis.ids.push_back(links_[static_cast<std::size_t>(link)].word);
    hypothesis.attended.push_back(links_[static_cast<std::size_t>(link)].attended);
  }
  std::ranges::reverse(hypothesis.ids);
  std::ranges::reverse(hypothesis.attended);
  done_.push_back(std::move(hypothesis));
}

std::vector<Hypothesis> Beam::take() {
  if (says_something()) std::erase_if(done_, is_empty);
  std::stable_sort(done_.begin(), done_.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  if (static_cast<std::int64_t>(done_.size()) > options_->best) {
    done_.resize(static_cast<std::size_t>(options_->best));
  }
  return std::move(done_);
}

}  // namespace hinny

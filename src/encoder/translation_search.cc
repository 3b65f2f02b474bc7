#include "encoder/translation_search.h"

#include <algorithm>
#include <limits>
#include <list>
#include <utility>

#include "encoder/gates.h"

namespace hinny {
namespace {

// The best words to follow a sentence's beginnings.
class Following {
 public:
  Following(std::size_t most, const std::vector<std::int32_t>& never)
      : most_(most), never_(never) {}

  // Those of one beginning: what speaks for each word (TranslationDecoder::predict), and the score
  // of the beginning.
  void add(std::span<float> words, double before) {
    const double shift = before - static_cast<double>(log_sum_exp(words.data(), words.size()));
    for (const std::int32_t id : never_) {
      words[static_cast<std::size_t>(id)] = -std::numeric_limits<float>::infinity();
    }
    for (std::size_t begin = 0; begin < words.size(); begin += kBlock) {
      const auto block = words.subspan(begin, std::min(kBlock, words.size() - begin));
      // Most have nothing to look at one by one.
      if (best_.size() == most_ &&
          static_cast<double>(largest(block.data(), block.size())) + shift < best_.front().score) {
        continue;
      }
      for (std::size_t i = 0; i < block.size(); ++i) {
        offer(
            {static_cast<double>(block[i]) + shift, next_ + static_cast<std::int64_t>(begin + i)});
      }
    }
    next_ += static_cast<std::int64_t>(words.size());
  }

  // Best first.
  std::pair<std::vector<double>, std::vector<std::int64_t>> take() {
    std::ranges::sort(best_, better);
    std::pair<std::vector<double>, std::vector<std::int64_t>> result;
    for (const Place& place : best_) {
      result.first.push_back(place.score);
      result.second.push_back(place.number);
    }
    return result;
  }

 private:
  struct Place {
    double score = 0;
    std::int64_t number = 0;  // the row times the vocabulary, plus the word
  };
  static constexpr std::size_t kBlock = 64;

  void offer(const Place& place) {
    if (best_.size() == most_ && !better(place, best_.front())) return;
    if (best_.size() == most_) {
      std::ranges::pop_heap(best_, better);
      best_.pop_back();
    }
    best_.push_back(place);
    std::ranges::push_heap(best_, better);
  }
  static bool better(const Place& a, const Place& b) {
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  }

  std::size_t most_;
  const std::vector<std::int32_t>& never_;
  std::vector<Place> best_;  // a heap, the least of them in front
  std::int64_t next_ = 0;    // the first place of the next beginning
};

struct Sentence {
  Sentence(const TranslationDecoder& decoder, std::span<const std::int32_t> ids,
           const SearchOptions& options, std::size_t number)
      : number(number),
        source(decoder.encode(ids)),
        most(most_words(static_cast<std::int64_t>(ids.size()))),
        beam(options) {}

  std::size_t number;
  TranslationDecoder::Source source;
  std::int64_t most;  // words
  Beam beam;
  std::vector<double> scores = {0.0};  // of its beginnings, a row each
};

class Search {
 public:
  Search(const TranslationDecoder& decoder, std::span<const std::vector<std::int32_t>> sources,
         const SearchOptions& options)
      : decoder_(decoder), options_(options), results_(sources.size()) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      living_.emplace_back(decoder, sources[i], options, i);
    }
  }

  std::vector<std::vector<Hypothesis>> run() {
    std::vector<const TranslationDecoder::Source*> sources;
    for (const Sentence& sentence : living_) sources.push_back(&sentence.source);
    auto states = decoder_.start(sources);
    for (std::int64_t length = 1; !living_.empty(); ++length) states = step(states, length);
    return std::move(results_);
  }

 private:
  TranslationDecoder::States step(const TranslationDecoder::States& states, std::int64_t length) {
    std::vector<float> next = decoder_.predict(states);
    const std::size_t vocabulary = next.size() / states.attended.size();
    std::vector<const TranslationDecoder::Source*> sources;
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> words;
    std::size_t first = 0;
    for (Sentence& sentence : living_) {
      Following following(2 * static_cast<std::size_t>(options_.beam), options_.never);
      for (std::size_t row = 0; row < sentence.scores.size(); ++row) {
        following.add(std::span(next).subspan((first + row) * vocabulary, vocabulary),
                      sentence.scores[row]);
      }
      const auto [scores, places] = following.take();
      const auto chosen =
          sentence.beam.step({scores.data(), places.data(), states.attended.data() + first,
                              static_cast<std::int64_t>(places.size())},
                             static_cast<std::int64_t>(vocabulary), length == sentence.most);
      const std::size_t begin = first;
      first += sentence.scores.size();
      sentence.scores.clear();
      for (const Beam::Choice& choice : chosen) {
        sources.push_back(&sentence.source);
        rows.push_back(begin + static_cast<std::size_t>(choice.row));
        words.push_back(choice.word);
        sentence.scores.push_back(choice.score);
      }
    }
    std::erase_if(living_, [&](Sentence& sentence) {
      if (!sentence.scores.empty()) return false;
      results_[sentence.number] = sentence.beam.take();
      return true;
    });
    return rows.empty() ? TranslationDecoder::States()
                        : decoder_.advance(sources, states, rows, words);
  }

  const TranslationDecoder& decoder_;
  const SearchOptions& options_;
  std::list<Sentence> living_;
  std::vector<std::vector<Hypothesis>> results_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search_translations(
    const TranslationDecoder& decoder, std::span<const std::vector<std::int32_t>> sources,
    const SearchOptions& options) {
  return Search(decoder, sources, options).run();
}

}  // namespace hinny

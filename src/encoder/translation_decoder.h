// The network of a translation model (src/translation/translation_net.h), of text alone, for some
// sentences at a time on the calling thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/translation_config.h"
#include "tensors/weights.h"

namespace hinny {

class TranslationDecoder {
 public:
  // Throws InputError for tensors that lack or have other shapes. `weights` must outlive it.
  TranslationDecoder(const Weights& weights, const TranslationSizes& sizes);

  struct Source {
    std::vector<float> states;  // [words, hidden]
    std::vector<float> start;   // [embedding] what decoding begins with
  };
  // `ids`: of a sentence with its marks, one or more.
  Source encode(std::span<const std::int32_t> ids) const;

  struct Lstm {
    std::vector<float> hidden, cell;  // [rows, size]
  };
  // Of translations' beginnings, those of a sentence one after another.
  struct States {
    Lstm first;                          // [rows, hidden]
    Lstm second;                         // [rows, embedding], of two layers
    std::vector<float> output;           // [rows, embedding] what is compared with the next words
    std::vector<std::int64_t> attended;  // [rows] the source word that was looked at most
  };
  // A row of each source.
  States start(std::span<const Source* const> sources) const;
  // After words[i] behind the beginning in row rows[i], which translates sources[i].
  States advance(std::span<const Source* const> sources, const States& states,
                 std::span<const std::size_t> rows, std::span<const std::int32_t> words) const;
  // How much speaks for each word that may follow: its log-probability but for a number that all
  // words of a row have in common. [rows, vocabulary]
  std::vector<float> predict(const States& states) const;

 private:
  std::vector<float> words(std::span<const std::int32_t> ids) const;  // as they are read
  // inputs [rows, embedding]
  States step(std::span<const Source* const> sources, std::span<const float> inputs, Lstm first,
              Lstm second) const;
  // Puts beside each of `states` [rows, hidden] what it looked at: [rows, 2 hidden], that first.
  std::vector<float> attend(std::span<const Source* const> sources,
                            const std::vector<float>& states,
                            std::vector<std::int64_t>& attended) const;

  const Weights& weights_;
  TranslationSizes sizes_;
};

}  // namespace hinny

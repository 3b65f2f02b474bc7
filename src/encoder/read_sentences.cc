#include "encoder/read_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/request_error.h"
#include "base/threads.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 256;  // sentences between two looks at Ctrl-C

}  // namespace

ReadSentence read_sentence(TextEncoder& encoder, const Sentence& sentence) {
  LanguageGuess guess = sentence.language.empty()
                            ? guess_language(encoder, sentence.text)
                            : LanguageGuess{encoder.model().language(sentence.language), {}};
  EncodedText encoded = encoder.encode(sentence.text, guess.language);
  return {std::move(guess), std::move(encoded)};
}

void check_known(const Model& model, const Sentence& sentence, const EncodedText& encoded) {
  if (!encoded.nothing_known()) return;
  throw RequestError(fmt::format("the model knows no word of '{}'", sentence.text),
                     fmt::format("words of its training captions in {}",
                                 sentence.language.empty()
                                     ? fmt::format("{}", fmt::join(model.config().languages, ", "))
                                     : sentence.language));
}

void read_sentences(const Model& model, std::span<const Sentence> sentences,
                    const std::function<void(std::size_t, ReadSentence&&)>& take) {
  Progress progress("sentences", sentences.size());
  for (std::size_t first = 0; first < sentences.size(); first += kBlock) {
    stop_if_interrupted();
    const auto part = sentences.subspan(first, std::min(kBlock, sentences.size() - first));
    std::vector<ReadSentence> block(part.size());
    parallel_blocks(part.size(), [&](std::size_t begin, std::size_t end) {
      TextEncoder encoder(model);
      for (std::size_t i = begin; i < end; ++i) block[i] = read_sentence(encoder, part[i]);
    });
    for (std::size_t i = 0; i < block.size(); ++i) take(first + i, std::move(block[i]));
    progress.add(part.size());
  }
}

}  // namespace hinny

// A trained translation model (recipes nmt and mmt; of the latter what needs no image), ready to
// translate, without libtorch: docs/formats/model.md.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/direction.h"
#include "encoder/translation_decoder.h"
#include "tensors/export_weights.h"
#include "text/beam.h"
#include "text/subword_text.h"

namespace hinny {

// Whether a folder's config.json is that of a translation model. InputError when it has none.
bool holds_translator(const std::filesystem::path& folder);

// Safe to share between threads.
class Translator {
 public:
  // A run folder or a copy by export_translator. Throws InputError for what does not fit together.
  static Translator open(const std::filesystem::path& folder);

  const std::vector<Direction>& directions() const { return directions_; }
  // For each text its translations, best first, as many as options.best; of one without words an
  // empty one. `options.never` is the model's. Only in one of the directions. Runs on
  // thread_count() threads; what it finds depends neither on their number nor on the other texts.
  std::vector<std::vector<Translation>> translate(std::span<const std::string> texts,
                                                  const Direction& direction,
                                                  SearchOptions options) const;
  // Of a sentence, `beam` beginnings wide; "" of one without words, or when nothing is found. Only
  // in one of the directions. What has more than kMostWords subwords is cut. Runs on the calling
  // thread alone.
  std::string translate(std::string_view text, const Direction& direction,
                        std::int64_t beam = 5) const;
  static constexpr std::size_t kMostWords = 100;

 private:
  Translator() = default;
  // Part of the texts, on the calling thread.
  void translate_some(std::span<const std::string> texts, const Direction& direction,
                      const SearchOptions& options,
                      std::span<std::vector<Translation>> results) const;

  // Text is cut and put together by one thread at a time; the rest takes longer.
  struct Guarded {
    std::mutex lock;
    SubwordText text;
  };
  std::vector<Direction> directions_;
  std::unique_ptr<Weights> weights_;
  std::unique_ptr<TranslationDecoder> decoder_;
  std::unique_ptr<Guarded> guarded_;
  std::vector<std::int32_t> never_;  // ids that no translation holds
};

// Copies what translating text needs into `folder`, matrices in `type` (export_weights.h).
void export_translator(const std::filesystem::path& run, WeightType type,
                       const std::filesystem::path& folder);

}  // namespace hinny

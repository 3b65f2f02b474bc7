#include "index/folder/stored_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/lines.h"
#include "base/npy.h"
#include "data/json_fields.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// Up to `most` of them, at even distances.
std::vector<Sentence> spread(const std::vector<Sentence>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<Sentence> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

std::vector<Sentence> captions_of(const Model& model, const Dataset& dataset,
                                  const std::vector<int>& images, std::size_t per_language) {
  std::vector<Sentence> chosen;
  for (const std::string& code : model.config().languages) {
    const auto known = find_language(dataset.languages(), code);
    if (!known) continue;
    const int language = dataset.language(*known);
    std::vector<Sentence> all;
    for (const int image : images) {
      for (const int caption : dataset.captions_of(image, language)) {
        all.push_back({code, dataset.captions()[static_cast<std::size_t>(caption)].text});
      }
    }
    std::ranges::move(spread(all, per_language), std::back_inserter(chosen));
  }
  return chosen;
}

}  // namespace

std::vector<Sentence> read_stored_sentences(const fs::path& path, const ModelConfig& config) {
  std::vector<Sentence> sentences;
  JsonFields fields(path, {"lang", "text"});
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    fields.read(text, line);
    sentences.push_back({fields.required(0), fields.required(1)});
    if (!config.text.contains(sentences.back().language)) {
      fields.fail(fmt::format("the model lacks '{}'", sentences.back().language),
                  fmt::format("one of {}", fmt::join(config.languages, ", ")));
    }
  });
  return sentences;
}

void store_sentences(const Model& model, const Dataset& dataset, const std::vector<int>& images,
                     std::size_t per_language, const fs::path& folder) {
  const std::vector<Sentence> sentences = captions_of(model, dataset, images, per_language);
  if (sentences.empty()) return;
  // Of words and regions only pictures are known to be hubs.
  const std::optional<HubBank> hubs = model.config().late ? std::nullopt : hubs_of(model);
  const std::size_t dim = model.config().dim;
  NpyWriter vectors(folder / kSentenceVectorsFile,
                    {static_cast<std::int64_t>(dim + (hubs ? 1 : 0))}, NpyType::float32);
  std::string lines;
  read_sentences(model, sentences, [&](std::size_t i, ReadSentence&& read) {
    if (read.encoded.nothing_known()) return;
    std::vector<float>& row = read.encoded.vector;
    if (hubs) {
      const auto& space = hubs->spaces.at(model.text(sentences[i].language).space);
      row.push_back(hub_penalties(*hubs, space.images, {row, 1, dim}).front());
    }
    vectors.append(row);
    const nlohmann::ordered_json json = {{"lang", sentences[i].language},
                                         {"text", sentences[i].text}};
    lines += json.dump() + "\n";
  });
  vectors.commit();
  write_file(folder / kSentencesFile, lines);
}

}  // namespace hinny

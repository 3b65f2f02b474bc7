// A trained model, ready to encode, without libtorch: docs/formats/model.md.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/lazy.h"
#include "base/run_files.h"
#include "encoder/word_parts.h"
#include "model/model_config.h"
#include "retrieval/hubs.h"
#include "tensors/weights.h"
#include "text/plain_letters.h"
#include "text/vocabulary.h"
#include "tokenizer/subword_tokenizer.h"
#include "transformer/text_tower.h"

namespace hinny {

// Immutable and cheap to move; safe to share between threads. Encoders refer to it.
class Model {
 public:
  // A run folder, or an index's encoder/. Throws InputError for anything that does not fit: each
  // tensor that the configuration names is there and has the shape that follows from it.
  static Model open(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const ModelConfig& config() const { return config_; }
  const Weights& weights() const { return *weights_; }
  const Vocabularies& vocabularies() const { return vocabularies_; }
  // Throws RequestError listing the model's languages when it lacks this one.
  const TextSpec& text(const std::string& language) const;
  // Throws InputError when sentences come to it as vectors, of which it cannot make more.
  void check_reads_words() const;
  // The same, and when its vectors compare otherwise than by dot product.
  void check_searchable() const;
  // What reads sentences of a pretrained model, in place of vocabularies; else null.
  const TextTower* tower() const { return tower_.get(); }
  // Of a pretrained model alone.
  const SubwordTokenizer& tokenizer() const { return *tokenizer_; }
  // The vector of a vocabulary's word as the sentence encoder reads it.
  std::vector<float> word(const TextSpec& text, std::int32_t id) const;
  // The same of a model that spells words: of any word, and whether it knows one of its characters.
  std::vector<float> spelled(const TextSpec& text, std::string_view word, bool& known) const;
  const Vocabulary& vocabulary(const std::string& language) const;
  // Finds the language's words that look like one it lacks. The first call of each vocabulary takes
  // a pass over its words.
  const WordParts& parts(const std::string& language) const;
  // The same for those that it has but for how their letters are typed.
  const PlainWords& plain_words(const std::string& language) const;
  // The model's own code of a language that is asked for in another (find_language); RequestError
  // as of text().
  const std::string& language(const std::string& code) const;
  // How many words the language's training captions had: the sum of its vocabulary's counts.
  double words_seen(const std::string& language) const;

 private:
  Model(std::filesystem::path folder, ModelConfig config, Vocabularies vocabularies);
  void check() const;
  void check_tower() const;
  void check_latents(const TextSpec& text, std::size_t words) const;
  void check_borrowed(const TextSpec& text, std::size_t words) const;
  void check_rows(const std::string& tensor, std::size_t rows, const std::string& of) const;
  std::size_t check_characters(const TextSpec& text) const;
  void check_vocabulary(const std::string& language, const TextSpec& text) const;
  void check_words(const std::string& language, const TextSpec& text) const;
  void check_pools(const std::string& what, const std::vector<LayerSpec>& layers,
                   bool several) const;
  void check_attention() const;
  std::filesystem::path folder_;
  ModelConfig config_;
  std::shared_ptr<const Weights> weights_;  // where it is, whoever moves the model
  Vocabularies vocabularies_;
  std::shared_ptr<const SubwordTokenizer> tokenizer_;
  std::shared_ptr<const TextTower> tower_;
  std::map<std::string, double> words_seen_;                                    // by vocabulary
  std::shared_ptr<const std::map<std::string, Lazy<WordParts>>> parts_;         // likewise
  std::shared_ptr<const std::map<std::string, Lazy<PlainWords>>> plain_words_;  // by language
};

// What the model remembers of its training to tell hubs, where its folder holds that. Throws as
// read_hubs, and InputError where it lacks one of the model's spaces.
std::optional<HubBank> hubs_of(const Model& model);

// Identifies a model by the content of its three files.
std::string model_hash(const std::filesystem::path& folder);

}  // namespace hinny

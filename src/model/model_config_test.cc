// A description that is written and read is the same, whatever is in it.
#include "model/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "model/translation_config.h"
#include "retrieval/score.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

// Two languages, a word's mean, one layer for pictures.
ModelConfig plain() {
  ModelConfig config;
  config.system = "bag";
  config.languages = {"en", "de"};
  config.dim = 6;
  config.features = {"f+g", {{"f", 7}, {"g", 5}}, true, false, 1};
  config.max_words = 40;
  for (const std::string& language : config.languages) {
    TextSpec& text = config.text[language];
    text.vocabulary = language;
    text.words = "text_" + language + ".words";
    text.encoder.input = 6;
    text.layers = {{LayerKind::l2}};
    text.space = "image";
  }
  config.image["image"] = {{LayerKind::linear, "image.fc"}, {LayerKind::l2}};
  config.train_parameters = 1'000'000'000'000;
  config.search_parameters = 50;
  return config;
}

class ModelConfigTest : public testing::Test {
 protected:
  void expect_kept(const ModelConfig& config) const {
    const std::filesystem::path first = scratch_ / "config.json", again = scratch_ / "again.json";
    write_model_config(first, config);
    const ModelConfig read = read_model_config(first);
    EXPECT_EQ(read, config) << read_file(first);
    write_model_config(again, read);
    EXPECT_EQ(read_file(again), read_file(first));
  }
  Scratch scratch_;
};

TEST_F(ModelConfigTest, KeepsWhatEachModelHas) {
  ModelConfig config = plain();
  expect_kept(config);
  config.score = Score::order;
  config.given_tokens = true;
  config.stems = true;
  config.late = LateInteraction{4.5};
  config.consistency = {{"de", -0.25}, {"en", 1.0 / 3}};
  config.parameter_parts = {{"words", 12}, {"other", 0}};
  expect_kept(config);
}

TEST_F(ModelConfigTest, KeepsEveryEncoder) {
  for (const auto& kind : Choices<EncoderKind>::all) {
    for (const bool both : {false, true}) {
      for (const auto& reset : Choices<ResetGate>::all) {
        ModelConfig config = plain();
        TextSpec& text = config.text["en"];
        text.encoder.kind = kind.value;
        if (kind.value == EncoderKind::given) text.words.clear();
        if (kind.value == EncoderKind::gru || kind.value == EncoderKind::lstm) {
          text.encoder.prefix = "text_en.encoder";
          text.encoder.hidden = 3;
          text.encoder.bidirectional = text.encoder.every_word = both;
        }
        if (kind.value == EncoderKind::gru) text.encoder.reset = reset.value;
        expect_kept(config);
      }
    }
  }
}

TEST_F(ModelConfigTest, KeepsEveryLayer) {
  ModelConfig config = plain();
  for (const auto& kind : Choices<LayerKind>::all) {
    LayerSpec layer{kind.value};
    if (have_tensors(kind.value)) layer.prefix = "of." + std::string(kind.name);
    if (kind.value == LayerKind::memory) layer.hops = 2, layer.seen = true;
    config.text["en"].layers.push_back(layer);
    config.text["de"].word_layers.push_back(layer);
    config.image["other"].push_back(layer);
  }
  config.text["de"].space = "other";
  expect_kept(config);
}

TEST_F(ModelConfigTest, KeepsEveryKindOfWords) {
  ModelConfig latent = plain();
  latent.text["de"].latents = "latent.vectors";
  latent.text["de"].latent_of = "text_de.latent_of";
  expect_kept(latent);
  ModelConfig borrowed = plain();
  borrowed.text["de"].borrows = "en";
  borrowed.text["de"].borrowed = "text_de.borrowed";
  expect_kept(borrowed);
  ModelConfig spelled = plain();
  spelled.text["en"].words.clear();
  spelled.text["en"].characters = "text.characters";
  spelled.text["en"].most_characters = 26;
  spelled.text["en"].unknown = UnknownWords::drop;
  spelled.text["en"].markers = true;
  expect_kept(spelled);
}

TEST_F(ModelConfigTest, KeepsEveryAttention) {
  for (const auto& direction : Choices<AttentionDirection>::all) {
    for (const auto& norm : Choices<AttentionNorm>::all) {
      for (const auto& pooling : Choices<AttentionPooling>::all) {
        ModelConfig config = plain();
        config.features.regions = 3;
        config.attention = {direction.value, norm.value, pooling.value, 4.5, 0.1};
        expect_kept(config);
      }
    }
  }
}

// Names as they are in models that people have: none may change, none may change places.
TEST_F(ModelConfigTest, NamesStayWhatTheyAre) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(choice_names<EncoderKind>(), (Names{"mean", "gru", "lstm", "given"}));
  EXPECT_EQ(choice_names<LayerKind>(), (Names{"linear", "batch_norm", "relu", "gelu", "tanh", "l2",
                                              "abs", "mean", "context", "memory"}));
  EXPECT_EQ(choice_names<Activation>(), (Names{"gelu", "gelu_tanh", "quick_gelu", "swiglu"}));
  EXPECT_EQ(choice_names<TokenPooling>(), (Names{"first", "last", "mean", "attention"}));
  EXPECT_EQ(choice_names<Score>(), (Names{"dot", "order"}));
  EXPECT_EQ(choice_names<ResetGate>(), (Names{"after", "before"}));
  EXPECT_EQ(choice_names<UnknownWords>(), (Names{"drop", "token"}));
  EXPECT_EQ(choice_names<EncoderOutput>(), (Names{"sentence", "words"}));
}

// A pretrained model's: what is written is read again, and what does not fit is refused.
TEST_F(ModelConfigTest, ReadsByATransformer) {
  ModelConfig config;
  config.system = "clip";
  config.languages = {"en"};
  config.dim = 8;
  config.features = {"clip", {{"clip", 8}}};
  config.transformer = TransformerSpec{.width = 16,
                                       .layers = 2,
                                       .heads = 2,
                                       .hidden = 32,
                                       .causal = true,
                                       .activation = Activation::quick_gelu,
                                       .pooling = TokenPooling::last,
                                       .positions = 12,
                                       .vocabulary = 50};
  config.image["image"] = {{LayerKind::l2}};
  TextSpec text;
  text.encoder.input = 16;
  text.layers = {{LayerKind::linear, "text.projection"}, {LayerKind::l2}};
  text.space = "image";
  config.text["en"] = text;
  const std::filesystem::path file = scratch_ / "config.json";
  write_model_config(file, config);
  EXPECT_EQ(read_model_config(file), config);
  config.transformer->heads = 3;
  write_model_config(file, config);
  EXPECT_THAT([&] { read_model_config(file); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("a number that divides 16")));
  config.transformer->heads = 2;
  config.transformer->vocabulary = 0;
  config.transformer->side = 8;
  config.transformer->patch = 4;
  config.transformer->positions = 4;
  write_model_config(file, config);
  EXPECT_THAT([&] { read_model_config(file); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("sees pictures")));
  config.transformer->positions = 5;
  write_model_config(file, config);
  EXPECT_THAT([&] { read_model_config(file); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("has 5 positions")));
}

// Written again, the files of earlier versions are the same to the byte.
TEST_F(ModelConfigTest, WritesWhatEarlierVersionsWrote) {
  namespace fs = std::filesystem;
  const fs::path models = fs::path(__FILE__).parent_path() / "../../tests/old_models";
  const fs::path again = scratch_ / "again.json";
  int found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(models)) {
    if (entry.path().filename() != "config.json") continue;
    ++found;
    if (is_translation_config(entry.path())) {
      write_translation_config(again, read_translation_config(entry.path()));
    } else {
      write_model_config(again, read_model_config(entry.path()));
    }
    // Keys in order: weights of languages were once added at the end.
    const auto old = nlohmann::json::parse(read_file(entry.path()));
    EXPECT_EQ(read_file(again), old.dump(2) + "\n") << entry.path();
  }
  EXPECT_GE(found, 24);
}

TEST_F(ModelConfigTest, AModelThatTranslatesIsRefused) {
  write_file(scratch_ / "config.json", R"({"format": 1, "directions": ["en-de"]})");
  EXPECT_THROW(read_model_config(scratch_ / "config.json"), InputError);
}

}  // namespace
}  // namespace hinny

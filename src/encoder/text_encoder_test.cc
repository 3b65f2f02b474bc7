#include "encoder/text_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "encoder/language.h"
#include "encoder/model_fixture.h"
#include "encoder/read_sentences.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The formulas as the papers print them, in double precision, one number at a time.
struct Reference {
  const ModelFixture& model;
  const std::string prefix;

  double at(const std::string& name, std::size_t row, std::size_t column) const {
    const auto& tensor = model.tensors.at(prefix + name);
    const std::size_t columns =
        tensor.shape.size() == 2 ? static_cast<std::size_t>(tensor.shape[1]) : 1;
    return static_cast<double>(tensor.numbers[row * columns + column]);
  }

  // weight[row] . x + bias[row]
  double affine(const std::string& weight, const std::string& bias, std::size_t row,
                const Numbers& x) const {
    double sum = at(bias, row, 0);
    for (std::size_t i = 0; i < x.size(); ++i) sum += at(weight, row, i) * x[i];
    return sum;
  }

  Numbers recurrent(const std::vector<Numbers>& words, const nlohmann::json& spec,
                    const std::string& suffix) const {
    const auto hidden = spec["hidden"].get<std::size_t>();
    Numbers h(hidden, 0.0);
    Numbers c(hidden, 0.0);
    for (const Numbers& x : words) {
      const auto from_word = [&](std::size_t gate, std::size_t i) {
        return affine(".encoder.weight_ih_l0" + suffix, ".encoder.bias_ih_l0" + suffix,
                      gate * hidden + i, x);
      };
      const auto from_state = [&](std::size_t gate, std::size_t i, const Numbers& state) {
        return affine(".encoder.weight_hh_l0" + suffix, ".encoder.bias_hh_l0" + suffix,
                      gate * hidden + i, state);
      };
      const auto gate = [&](std::size_t kind, std::size_t i) {
        return from_word(kind, i) + from_state(kind, i, h);
      };
      Numbers next(hidden);
      Numbers kept(hidden);
      for (std::size_t i = 0; i < hidden; ++i) kept[i] = sigmoid(gate(0, i)) * h[i];
      for (std::size_t i = 0; i < hidden; ++i) {
        if (spec["kind"] == "lstm") {
          c[i] = sigmoid(gate(1, i)) * c[i] + sigmoid(gate(0, i)) * std::tanh(gate(2, i));
          next[i] = sigmoid(gate(3, i)) * std::tanh(c[i]);
          continue;
        }
        const double z = sigmoid(gate(1, i));
        const double n = spec["reset"] == "after"
                             ? from_word(2, i) + sigmoid(gate(0, i)) * from_state(2, i, h)
                             : from_word(2, i) + from_state(2, i, kept);
        next[i] = (1 - z) * std::tanh(n) + z * h[i];
      }
      h = next;
    }
    return h;
  }

  Numbers sentence(const std::vector<std::size_t>& ids) const {
    const nlohmann::json& spec = model.config["text"][prefix.substr(5)]["encoder"];
    std::vector<Numbers> words;
    for (const std::size_t id : ids) {
      words.emplace_back();
      for (std::size_t i = 0; i < 5; ++i) words.back().push_back(at(".words", id, i));
    }
    Numbers state;
    if (spec["kind"] == "mean") {
      state.assign(5, 0.0);
      for (const Numbers& word : words) {
        for (std::size_t i = 0; i < 5; ++i) {
          state[i] += word[i] / static_cast<double>(words.size());
        }
      }
    } else {
      state = recurrent(words, spec, "");
      if (spec.value("bidirectional", false)) {
        const Numbers back = recurrent({words.rbegin(), words.rend()}, spec, "_reverse");
        state.insert(state.end(), back.begin(), back.end());
      }
    }
    Numbers result;
    double squares = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      result.push_back(affine(".fc.weight", ".fc.bias", i, state));
      squares += result.back() * result.back();
    }
    for (double& number : result) number /= std::sqrt(squares);
    return result;
  }
};

class TextEncoderTest : public testing::Test {
 protected:
  std::vector<float> vector(const ModelFixture& fixture, std::string_view text,
                            const std::string& language = "en") const {
    fixture.write(folder);
    const Model model = Model::open(folder);
    return TextEncoder(model).encode(text, language).vector;
  }

  const Scratch folder;
};

void expect_near(const std::vector<float>& found, const Numbers& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5) << i;
}

TEST_F(TextEncoderTest, EveryKindAgreesWithItsFormula) {
  for (const char* text : {
           R"({"kind":"mean","input":5})",
           R"({"kind":"gru","input":5,"hidden":21,"bidirectional":false,"reset":"after"})",
           R"({"kind":"gru","input":5,"hidden":21,"bidirectional":false,"reset":"before"})",
           R"({"kind":"gru","input":5,"hidden":16,"bidirectional":true,"reset":"after"})",
           R"({"kind":"gru","input":5,"hidden":3,"bidirectional":true,"reset":"before"})",
           R"({"kind":"lstm","input":5,"hidden":33,"bidirectional":false})",
           R"({"kind":"lstm","input":5,"hidden":17,"bidirectional":true})",
       }) {
    SCOPED_TRACE(text);
    const auto encoder = nlohmann::json::parse(text);
    ModelFixture fixture;
    const std::int64_t hidden = encoder.value("hidden", 5);
    fixture.set_encoder("en", encoder, hidden * (encoder.value("bidirectional", false) ? 2 : 1));
    const Reference reference{fixture, "text_en"};
    expect_near(vector(fixture, "The dog runs!"), reference.sentence({8, 5, 6}));
    expect_near(vector(fixture, "beach"), reference.sentence({9}));
  }
}

TEST_F(TextEncoderTest, UnknownWordsAreDroppedOrBecomeTheToken) {
  ModelFixture fixture;
  const Reference reference{fixture, "text_en"};
  expect_near(vector(fixture, "a zebra runs"), reference.sentence({4, 6}));
  fixture.config["text"]["en"]["unknown"] = "token";
  expect_near(vector(fixture, "a zebra runs"), reference.sentence({4, 1, 6}));
  fixture.config["text"]["en"]["markers"] = true;
  expect_near(vector(fixture, "a zebra runs"), reference.sentence({2, 4, 1, 6, 3}));
  fixture.config["tokenizer"]["max_words"] = 2;
  expect_near(vector(fixture, "a dog runs"), reference.sentence({2, 4, 5, 3}));
}

TEST_F(TextEncoderTest, NothingKnownIsTheUnknownWordAloneAndSaysSo) {
  ModelFixture fixture;
  fixture.config["text"]["en"]["markers"] = true;
  fixture.write(folder);
  const Model model = Model::open(folder);
  TextEncoder encoder(model);
  const EncodedText nothing = encoder.encode("zebra quagga", "en");
  EXPECT_TRUE(nothing.nothing_known());
  EXPECT_THAT(nothing.unknown_words, ElementsAre("zebra", "quagga"));
  expect_near(nothing.vector, Reference{fixture, "text_en"}.sentence({1}));
  EXPECT_EQ(encoder.encode("", "en").vector, nothing.vector);
  const EncodedText some = encoder.encode("A zebra on", "en");
  EXPECT_FALSE(some.nothing_known());
  EXPECT_THAT(some.known_words, ElementsAre("a", "on"));
  EXPECT_THAT(some.unknown_words, ElementsAre("zebra"));
  EXPECT_THROW(encoder.encode("\xFF", "en"), InputError);
}

TEST_F(TextEncoderTest, ALanguageThatTheModelLacksIsNamedWithThoseItHas) {
  ModelFixture().write(folder);
  const Model model = Model::open(folder);
  try {
    TextEncoder(model).encode("un chien", "fr");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the model has no language 'fr' (expected de, en, or another code of one of them, "
                 "such as pt-BR, por or por_Latn of pt)");
  }
}

TEST_F(TextEncoderTest, ALanguageHasManyCodes) {
  ModelFixture().write(folder);
  const Model model = Model::open(folder);
  TextEncoder encoder(model);
  const std::vector<float> vector = encoder.encode("ein hund", "de").vector;
  for (const char* code : {"DE", "deu", "de-AT", "deu_Latn", "de_DE"}) {
    EXPECT_EQ(model.language(code), "de");
    EXPECT_EQ(encoder.encode("ein hund", code).vector, vector) << code;
    EXPECT_EQ(read_sentence(encoder, {code, "ein hund"}).guess.language, "de");
  }
}

TEST_F(TextEncoderTest, WordsAreFoundHoweverTheirLettersAreTyped) {
  ModelFixture().write(folder);
  const Model model = Model::open(folder);
  TextEncoder encoder(model);
  const EncodedText exact = encoder.encode("Ein Hund läuft", "de");
  for (const char* typed : {"ein hund lauft", "ein hund laeuft"}) {
    const EncodedText plain = encoder.encode(typed, "de");
    EXPECT_EQ(plain.vector, exact.vector) << typed;
    EXPECT_THAT(plain.known_words, ElementsAre("ein", "hund", "läuft"));
    EXPECT_THAT(plain.unknown_words, ElementsAre());
    EXPECT_EQ(guess_language(encoder, typed).language, "de");
  }
  // Before it is read as words that look like it.
  TextEncoder guesses(model, TextEncoder::Unknown::guess);
  EXPECT_EQ(guesses.encode("ein hund laeuft", "de").guessed_words.size(), 0U);
}

TEST_F(TextEncoderTest, UnknownWordsAreNamedAsTheyWereTyped) {
  ModelFixture fixture;
  fixture.config["tokenizer"]["stems"] = true;
  fixture.write(folder);
  const Model model = Model::open(folder);
  TextEncoder encoder(model);
  EXPECT_THAT(encoder.encode("Quaggas on beaches", "en").unknown_words, ElementsAre("quaggas"));
  TextEncoder guesses(model, TextEncoder::Unknown::guess);
  const EncodedText guessed = guesses.encode("beachfronts", "en");
  ASSERT_EQ(guessed.guessed_words.size(), 1U);
  EXPECT_EQ(guessed.guessed_words.front().word, "beachfronts");
}

TEST_F(TextEncoderTest, HalfPrecisionWeightsAreRead) {
  ModelFixture fixture;
  for (auto& [name, tensor] : fixture.tensors) {
    for (float& number : tensor.numbers) number = std::round(number * 8) / 8;  // exact in bf16
  }
  const std::vector<float> wanted = vector(fixture, "a dog");
  std::map<std::string, std::vector<std::uint16_t>> halves;
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : fixture.tensors) {
    for (const float number : tensor.numbers) {
      halves[name].push_back(
          static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16U));
    }
    views[name] = {TensorType::bfloat16, tensor.shape, std::as_bytes(std::span(halves[name]))};
  }
  write_safetensors(folder / kWeightsFile, views);
  const Model model = Model::open(folder);
  EXPECT_EQ(TextEncoder(model).encode("a dog", "en").vector, wanted);
}

TEST_F(TextEncoderTest, TheLanguageIsGuessedFromWordsAndScript) {
  ModelFixture fixture;
  fixture.vocabularies["de"].add("的", 90);  // a stray word must not make German of Chinese
  fixture.add("text_de.words", {fixture.vocabularies["de"].size(), 5});
  fixture.write(folder);
  const Model model = Model::open(folder);
  TextEncoder encoder(model);
  EXPECT_EQ(guess_language(encoder, "a dog runs").language, "en");
  EXPECT_EQ(guess_language(encoder, "Ein Hund läuft").language, "de");
  EXPECT_EQ(guess_language(encoder, "am strand").language, "de");  // "am" is in both
  EXPECT_EQ(guess_language(encoder, "am zebra").language, "de");
  const LanguageGuess none = guess_language(encoder, "zebra");
  EXPECT_EQ(none.language, "de");
  EXPECT_THAT(none.equals, ElementsAre("en"));
}

}  // namespace
}  // namespace hinny

// Models that libsentencepiece trains here: its ids and ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "tokenizer/tokenizer_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;

// Made up of a few words in several scripts, always the same.
std::vector<std::string> training_sentences() {
  const std::vector<std::vector<std::string>> languages = {
      {"a", "dog", "dogs", "runs", "running", "jumps", "into", "the", "water", "beach", "it's"},
      {"ein", "Hund", "springt", "ins", "Wasser", "über", "große", "Straße", "läuft", "schwarzer"},
      {"собака", "бежит", "по", "воде", "чёрная", "прыгает"},
      {"كلب", "يركض", "في", "الماء", "أسود"},
      {"कुत्ता", "पानी", "में", "दौड़ता", "है"},
      {"一只", "狗", "跳进", "水里", "黑色", "的"},
      {"犬", "が", "水", "に", "飛び込む", "ＡＢＣ", "①"}};
  Random random(3);
  std::vector<std::string> sentences;
  for (int i = 0; i < 700; ++i) {
    const auto& words = languages[static_cast<std::size_t>(i) % languages.size()];
    std::string sentence;
    const std::uint64_t count = 3 + random.below(8);
    for (std::uint64_t word = 0; word < count; ++word) {
      if (word > 0) sentence += ' ';
      sentence += words[random.below(words.size())];
    }
    sentences.push_back(sentence + (i % 3 == 0 ? "." : i % 3 == 1 ? "!" : ""));
  }
  return sentences;
}

// What training never saw.
std::vector<std::string> strange_texts() {
  std::vector<std::string> texts = {"",
                                    " ",
                                    "   ",
                                    "dog",
                                    " dog ",
                                    "dog  dog",
                                    "DOG",
                                    "\U0001F600",
                                    "\U0001F600\U0001F601 dog\U0001F600",
                                    "e\u0301a\u0300",
                                    "½ ﬁ ㎏ ™",
                                    "\t\n",
                                    "a\tb\nc",
                                    "\u3000犬\u3000",
                                    "▁dog",
                                    "<s>dog</s>",
                                    "<unk>",
                                    "<0x41>",
                                    "\u200b\ufeffdog\u00ad",
                                    "\ufffd",
                                    "<cls>dog<cls>",
                                    "dog<sep>dog",
                                    "<cls><sep>",
                                    "ẞ İ Σς",
                                    "ﷺ",
                                    "\u0301",
                                    "aaaaaaaa",
                                    "zzz zzz",
                                    "日本語テキスト"};
  texts.emplace_back("a\0b", 3);
  texts.emplace_back(10'000, 'd');
  std::string mixed;
  Random random(4);
  const std::vector<std::string> parts = {"dog",    "Hund",       " ", "  ", "狗",   "é",
                                          "\u0301", "\U0001F600", "x", "бе", "<cls>"};
  for (int i = 0; i < 3000; ++i) mixed += parts[random.below(parts.size())];
  texts.push_back(mixed);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    const std::uint64_t count = random.below(12);
    for (std::uint64_t part = 0; part < count; ++part) text += parts[random.below(parts.size())];
    texts.push_back(text);
  }
  return texts;
}

struct TrainedKind {
  const char* name;
  const char* options;
};
void PrintTo(const TrainedKind& kind, std::ostream* out) { *out << kind.name; }

class SentencePiece : public testing::Test {
 protected:
  // -> the model's file
  std::filesystem::path train(const std::string& name, const std::string& options) {
    std::string text;
    for (const std::string& sentence : training_sentences()) text += sentence + '\n';
    folder.write("sentences.txt", text);
    const auto status = sentencepiece::SentencePieceTrainer::Train(fmt::format(
        "--input={0}/sentences.txt --model_prefix={0}/trained --minloglevel=2 --num_threads=1 "
        "--hard_vocab_limit=false {1}",
        folder.path().string(), options));
    EXPECT_TRUE(status.ok()) << status.ToString();
    std::filesystem::rename(folder.path() / "trained.model", folder.path() / name);
    return folder.path() / name;
  }

  TokenizerFolder folder;
};

class SentencePieceKind : public SentencePiece, public testing::WithParamInterface<TrainedKind> {};

TEST_P(SentencePieceKind, IdsAreThoseOfTheLibrary) {
  const auto file = train("tokenizer.model", GetParam().options);
  folder.write("tokenizer_config.json", nlohmann::json{{"add_eos_token", false}});
  const SubwordTokenizer ours = folder.import("other");
  sentencepiece::SentencePieceProcessor theirs;
  ASSERT_TRUE(theirs.Load(file.string()).ok());
  ASSERT_EQ(ours.size(), theirs.GetPieceSize());
  std::vector<std::string> texts = training_sentences();
  for (const std::string& text : strange_texts()) texts.push_back(text);
  for (const std::string& text : texts) {
    std::vector<int> expected;
    ASSERT_TRUE(theirs.Encode(text, &expected).ok());
    ASSERT_EQ(ours.ids(text, 1U << 20U),
              std::vector<std::int32_t>(expected.begin(), expected.end()))
        << text.substr(0, 200);
  }
  for (std::int32_t id = 0; id < ours.size(); ++id) ASSERT_EQ(ours.piece(id), theirs.IdToPiece(id));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SentencePieceKind,
    testing::Values(
        TrainedKind{"unigram", "--model_type=unigram --vocab_size=300"},
        TrainedKind{"folded",
                    "--model_type=unigram --vocab_size=260 --normalization_rule_name=nmt_nfkc_cf "
                    "--pad_id=0 --eos_id=1 --unk_id=2 --bos_id=-1"},
        TrainedKind{
            "bytes",
            "--model_type=unigram --vocab_size=500 --byte_fallback=true --character_coverage=0.98"},
        TrainedKind{"user_defined",
                    "--model_type=unigram --vocab_size=300 --user_defined_symbols=<cls>,<sep>"},
        TrainedKind{"pairs", "--model_type=bpe --vocab_size=300"},
        TrainedKind{
            "gemma",
            "--model_type=bpe --vocab_size=600 --byte_fallback=true --character_coverage=0.98 "
            "--normalization_rule_name=identity --add_dummy_prefix=false "
            "--remove_extra_whitespaces=false --user_defined_symbols=<cls>,<sep>"},
        TrainedKind{"suffix",
                    "--model_type=unigram --vocab_size=300 --treat_whitespace_as_suffix=true"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(SentencePiece, FairseqsIdsAreMovedUp) {
  const auto file = train("sentencepiece.bpe.model", "--model_type=unigram --vocab_size=300");
  const SubwordTokenizer ours = folder.import("xlm-roberta");
  sentencepiece::SentencePieceProcessor theirs;
  ASSERT_TRUE(theirs.Load(file.string()).ok());
  EXPECT_EQ(ours.size(), theirs.GetPieceSize() + 2);
  EXPECT_EQ(ours.piece(ours.size() - 1), "<mask>");
  std::vector<int> expected;
  ASSERT_TRUE(theirs.Encode("a dog \U0001F600", &expected).ok());
  std::vector<std::int32_t> moved = {0};
  for (const int id : expected) moved.push_back(id == 0 ? 3 : id + 1);
  moved.push_back(2);
  EXPECT_EQ(ours.ids("a dog \U0001F600", 100), moved);
  EXPECT_EQ(ours.padding(), 1);
}

TEST_F(SentencePiece, NllbsLanguagesFollowItsPieces) {
  train("sentencepiece.bpe.model", "--model_type=unigram --vocab_size=300");
  EXPECT_THROW(folder.import("nllb"), InputError);
  folder.write("special_tokens_map.json",
               nlohmann::json{{"additional_special_tokens", {"ace_Arab", "deu_Latn", "eng_Latn"}}});
  TokenizerChoices choices;
  choices.language = "deu_Latn";
  const SubwordTokenizer ours = folder.import("nllb", choices);
  const auto ids = ours.ids("dog", 100);
  EXPECT_EQ(ids.front(), ours.size() - 3);
  EXPECT_EQ(ours.piece(ids.front()), "deu_Latn");
  EXPECT_EQ(ids.back(), 2);
}

TEST_F(SentencePiece, SiglipsModel) {
  train("spiece.model",
        "--model_type=unigram --vocab_size=300 --pad_id=0 --eos_id=1 --unk_id=2 --bos_id=-1");
  folder.write("special_tokens_map.json", nlohmann::json{{"pad_token", "</s>"}});
  const SubwordTokenizer ours = folder.import("siglip");
  EXPECT_EQ(ours.ids("A DOG, runs!", 64), ours.ids("a dog runs", 64));
  EXPECT_EQ(ours.ids("a dog", 64).back(), 1);
  EXPECT_EQ(ours.padding(), 1);
}

TEST_F(SentencePiece, DamagedModelsAreRefusedOrAnswer) {
  const auto file = train("tokenizer.model", "--model_type=bpe --vocab_size=150");
  const std::string whole = read_file(file);
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    std::string damaged = whole;
    if (i % 4 == 0) damaged.resize(random.below(damaged.size()));
    for (int flips = 0; flips < 3 && !damaged.empty(); ++flips) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    write_quickly(file, damaged);
    try {
      const SubwordTokenizer tokenizer = folder.import();
      for (const std::int32_t id : tokenizer.ids("a dog runs 狗", 100))
        ASSERT_LT(id, tokenizer.size());
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace hinny

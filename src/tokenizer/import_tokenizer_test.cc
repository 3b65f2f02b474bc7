#include "tokenizer/import_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/real_data.h"
#include "tokenizer/tokenizer_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

json small_unigram() { return unigram({{"▁", -3}, {"▁dog", -2}, {"▁Dog", -2}, {"!", -3}}); }

// Pieces of GPT-2's alphabet, also at a word's end, as vocab.json and merges.txt.
void write_clip_files(const TokenizerFolder& folder) {
  json vocabulary;
  int next = 0;
  for (const char* piece : {"d", "o", "g", "s", "!", "d</w>", "o</w>", "g</w>", "s</w>", "!</w>",
                            "do", "dog</w>", "<|startoftext|>", "<|endoftext|>"}) {
    vocabulary[piece] = next++;
  }
  folder.write("vocab.json", vocabulary);
  folder.write("merges.txt", "#version: 0.2\nd o\ndo g</w>\n");
}

TEST(ImportTokenizer, ClipsVocabularyAndMerges) {
  TokenizerFolder folder;
  write_clip_files(folder);
  folder.write("tokenizer_config.json", json{{"model_max_length", 77}, {"pad_token", "!"}});
  const SubwordTokenizer tokenizer = folder.import("clip");
  EXPECT_THAT(
      pieces_of(tokenizer, " DOG\tdogs!"),
      ElementsAre("<|startoftext|>", "dog</w>", "do", "g", "s</w>", "!</w>", "<|endoftext|>"));
  EXPECT_EQ(folder.imported.most, 77U);
  EXPECT_EQ(folder.imported.begin, 12);
  EXPECT_EQ(folder.imported.end, 13);
  EXPECT_EQ(folder.imported.padding, 4);
  EXPECT_EQ(tokenizer.padding(), 4);
  EXPECT_THAT(folder.imported.chosen, Contains(HasSubstr("lower-case (vocab.json)")));
}

TEST(ImportTokenizer, MergesThatDoNotFitAreRefused) {
  TokenizerFolder folder;
  write_clip_files(folder);
  folder.write("merges.txt", "#version: 0.2\nd o\nd x\n");
  EXPECT_THAT([&] { folder.import("clip"); },
              ThrowsMessage<InputError>(HasSubstr("merges.txt:3: 'x' is not in the vocabulary")));
  folder.write("merges.txt", "d o g\n");
  EXPECT_THAT([&] { folder.import("clip"); },
              ThrowsMessage<InputError>(HasSubstr("merges.txt:1: 'd o g'")));
}

TEST(ImportTokenizer, RobertasVocabularyAndMerges) {
  TokenizerFolder folder;
  folder.write("vocab.json", json{{"<s>", 0},
                                  {"<pad>", 1},
                                  {"</s>", 2},
                                  {"<unk>", 3},
                                  {"a", 4},
                                  {"b", 5},
                                  {"Ġ", 6},
                                  {"Ġa", 7},
                                  {"<mask>", 8}});
  folder.write("merges.txt", "Ġ a\n");
  const SubwordTokenizer tokenizer = folder.import("roberta");
  EXPECT_THAT(pieces_of(tokenizer, "Ab a <mask>"),
              ElementsAre("<s>", "<unk>", "b", "Ġa", "<mask>", "</s>"));
  EXPECT_EQ(tokenizer.padding(), 1);
}

TEST(ImportTokenizer, BertsVocabulary) {
  TokenizerFolder folder;
  folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\ndog\nDog\n##s\n");
  EXPECT_THAT(pieces_of(folder.import("bert"), "Dogs"),
              ElementsAre("[CLS]", "dog", "##s", "[SEP]"));
  folder.write("tokenizer_config.json", json{{"do_lower_case", false}});
  EXPECT_THAT(pieces_of(folder.import("bert"), "Dogs"),
              ElementsAre("[CLS]", "Dog", "##s", "[SEP]"));
  TokenizerChoices choices;
  choices.lower_case = true;
  EXPECT_THAT(pieces_of(folder.import("bert", choices), "Dogs"),
              ElementsAre("[CLS]", "dog", "##s", "[SEP]"));
  folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\ndog\n");
  EXPECT_THAT([&] { folder.import("bert"); }, ThrowsMessage<InputError>(HasSubstr("'[SEP]'")));
}

TEST(ImportTokenizer, TokenizerJsonGoesBeforeOtherFiles) {
  TokenizerFolder folder;
  write_clip_files(folder);
  folder.write("tokenizer.json", small_unigram());
  EXPECT_THAT(pieces_of(folder.import("clip"), "dog"), ElementsAre("<s>", "▁dog", "</s>"));
  EXPECT_THAT(folder.imported.chosen, Contains("tokenizer (tokenizer.json)"));
}

TEST(ImportTokenizer, SiglipIsLowerCaseWithoutPunctuation) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", small_unigram());
  EXPECT_THAT(pieces_of(folder.import("siglip"), "Dog! !"), ElementsAre("<s>", "▁dog", "</s>"));
  EXPECT_THAT(folder.imported.chosen, Contains("punctuation removed (siglip)"));
  TokenizerChoices choices;
  choices.strip_punctuation = false;
  choices.lower_case = false;
  EXPECT_THAT(pieces_of(folder.import("siglip", choices), "Dog!"),
              ElementsAre("<s>", "▁Dog", "!", "</s>"));
}

TEST(ImportTokenizer, AFilesOwnRemovalOfPunctuationCanBeTakenBack) {
  TokenizerFolder folder;
  json file = small_unigram();
  file["normalizer"] = {{"type", "Replace"}, {"pattern", {{"Regex", "[!?]"}}}, {"content", ""}};
  folder.write("tokenizer.json", file);
  EXPECT_THAT(pieces_of(folder.import(), "dog!"), ElementsAre("<s>", "▁dog", "</s>"));
  TokenizerChoices choices;
  choices.strip_punctuation = false;
  EXPECT_THAT(pieces_of(folder.import("", choices), "dog!"),
              ElementsAre("<s>", "▁dog", "!", "</s>"));
}

TEST(ImportTokenizer, Siglip2EndsWithEosAndKeepsPunctuation) {
  TokenizerFolder folder;
  json file = byte_pairs({"d", "D", "!"}, {});
  file["post_processor"] = template_of("<bos>", 2, "<eos>", 1);  // as Gemma has it
  folder.write("tokenizer.json", file);
  folder.write("tokenizer_config.json", json{{"pad_token", "<pad>"}, {"model_max_length", 1e30}});
  EXPECT_THAT(pieces_of(folder.import("siglip2"), "D!"), ElementsAre("d", "!", "<eos>"));
  EXPECT_EQ(folder.imported.padding, 0);
  EXPECT_EQ(folder.imported.most, 0U);
  EXPECT_THAT(folder.imported.chosen, Contains(HasSubstr("punctuation kept")));
  EXPECT_THAT(folder.imported.chosen, Contains("lower-case (siglip2)"));
  EXPECT_THAT(folder.imported.chosen, Contains("marks as the family has them (siglip2)"));
}

TEST(ImportTokenizer, NllbPutsTheLanguageFirst) {
  TokenizerFolder folder;
  json file = small_unigram();
  file["added_tokens"].push_back(added_token(8, "eng_Latn"));
  file["added_tokens"].push_back(added_token(9, "deu_Latn"));
  folder.write("tokenizer.json", file);
  EXPECT_THAT(pieces_of(folder.import("nllb"), "dog"), ElementsAre("eng_Latn", "▁dog", "</s>"));
  TokenizerChoices choices;
  choices.language = "deu_Latn";
  EXPECT_THAT(pieces_of(folder.import("nllb", choices), "dog"),
              ElementsAre("deu_Latn", "▁dog", "</s>"));
  choices.language = "fra_Latn";
  EXPECT_THAT([&] { folder.import("nllb", choices); },
              ThrowsMessage<InputError>(HasSubstr("'fra_Latn' is not in the vocabulary")));
  choices.language = "dog";
  EXPECT_THROW(folder.import("nllb", choices), InputError);
  EXPECT_THAT([&] { folder.import("siglip", choices); },
              ThrowsMessage<InputError>(HasSubstr("only NLLB")));
}

TEST(ImportTokenizer, OpenClipCleansBefore) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", small_unigram());
  json text = {{"context_length", 64}, {"tokenizer_kwargs", {{"clean", "canonicalize"}}}};
  folder.write("open_clip_config.json", json{{"model_cfg", {{"text_cfg", text}}}});
  EXPECT_THAT(pieces_of(folder.import("siglip"), "&amp;amp; DOG_dog!"),
              ElementsAre("<s>", "▁dog", "▁dog", "</s>"));
  EXPECT_EQ(folder.imported.most, 64U);
  folder.write("open_clip_config.json", json{{"model_cfg", {{"text_cfg", json::object()}}}});
  EXPECT_THAT(pieces_of(folder.import("clip"), "&lt; Dog  &amp;"),
              ElementsAre("<s>", "▁", "<unk>", "▁Dog", "▁", "<unk>", "</s>"));
}

TEST(ImportTokenizer, PhotoServersFolders) {
  TokenizerFolder folder;
  folder.write("textual/tokenizer.json", small_unigram());
  const json text = {{"context_length", 64}, {"tokenizer_kwargs", {{"clean", "canonicalize"}}}};
  folder.write("config.json", json{{"embed_dim", 8}, {"text_cfg", text}});
  EXPECT_THAT(pieces_of(folder.import("siglip2x"), " DOG!  dog"),
              ElementsAre("<s>", "▁dog", "▁dog", "</s>"));
  EXPECT_EQ(folder.imported.most, 64U);
  const auto inner = import_tokenizer(folder.path() / "textual", "", {}, folder.file());
  EXPECT_EQ(inner.most, 64U);
}

TEST(ImportTokenizer, UnknownPartsAreNamed) {
  const auto refused = [](const std::string& place, const json& part) {
    json file = small_unigram();
    file[json::json_pointer(place)] = part;
    TokenizerFolder folder;
    folder.write("tokenizer.json", file);
    try {
      folder.import();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(
      refused("/normalizer", {{"type", "Rot13"}}),
      testing::AllOf(HasSubstr("tokenizer.json: normalizer is of type 'Rot13': unsupported"),
                     HasSubstr("NFKC")));
  EXPECT_THAT(refused("/pre_tokenizer", {{"type", "UnicodeScripts"}}),
              HasSubstr("'UnicodeScripts': unsupported"));
  EXPECT_THAT(refused("/model", {{"type", "WordLevel"}, {"vocab", json::object()}}),
              HasSubstr("model is of type 'WordLevel': unsupported"));
  EXPECT_THAT(refused("/post_processor", {{"type", "Other"}}), HasSubstr("'Other': unsupported"));
  EXPECT_THAT(refused("/post_processor",
                      {{"type", "BertProcessing"}, {"cls", {"x", 99}}, {"sep", {"y", 0}}}),
              HasSubstr("99"));
  EXPECT_THAT(refused("/pre_tokenizer",
                      {{"type", "Split"}, {"pattern", {{"Regex", "("}}}, {"behavior", "Removed"}}),
              HasSubstr("unsupported regular expression '('"));
  EXPECT_THAT(refused("/model/vocab/0", "x"), HasSubstr("model.vocab.0 is of type string"));
  EXPECT_THAT(refused("/added_tokens/0", added_token(2, "<s>")), HasSubstr("does not fit"));
  EXPECT_THAT(refused("/added_tokens/0", added_token(100, "<x>")), HasSubstr("holes: id 8 of 101"));
  EXPECT_THAT(refused("/added_tokens/0", added_token(1 << 22, "<x>")), HasSubstr("4194304"));
}

TEST(ImportTokenizer, BytePairsThatDoNotFitAreRefused) {
  const auto refused = [](const std::string& place, const json& part) {
    json file = byte_pairs({"a", "b"}, {{"a", "b"}});
    file[json::json_pointer(place)] = part;
    TokenizerFolder folder;
    folder.write("tokenizer.json", file);
    try {
      folder.import();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused("/model/merges/0", json::array({"a", "c"})), HasSubstr("needs 'c'"));
  EXPECT_THAT(refused("/model/merges/0", "b a"), HasSubstr("needs 'ba'"));
  EXPECT_THAT(refused("/model/merges/0", json::array({"a"})), HasSubstr("has 1 pieces"));
  EXPECT_THAT(refused("/model/unk_token", "<none>"), HasSubstr("unk_token '<none>'"));
  EXPECT_THAT(refused("/model/vocab/z", 0), HasSubstr("has id 0, which"));
  EXPECT_THAT(refused("/model/dropout", 0.1), HasSubstr("unsupported"));
}

TEST(ImportTokenizer, FoldersWithoutOneAreNamed) {
  TokenizerFolder folder;
  EXPECT_THAT([&] { folder.import("clip"); },
              ThrowsMessage<InputError>(HasSubstr("no tokenizer in it")));
  folder.write("tokenizer.json", std::string("{\"model\": "));
  EXPECT_THAT([&] { folder.import("clip"); },
              ThrowsMessage<InputError>(HasSubstr("tokenizer.json:1: broken JSON")));
  folder.write("tokenizer.json", json::object());
  EXPECT_THAT([&] { folder.import("clip"); },
              ThrowsMessage<InputError>(HasSubstr("lacks 'model'")));
}

// The ids that every program with CLIP's tokenizer gives.
TEST(ImportTokenizer, ClipsRealMerges) {
  const auto data = real_data();
  const auto merges = data / "models/tokenizers/bpe_simple_vocab_16e6.txt.gz";
  if (data.empty() || !std::filesystem::exists(merges)) GTEST_SKIP() << "HINNY_DATA has no merges";
  const Scratch folder;
  std::filesystem::create_directory(folder / "clip");
  std::filesystem::copy(merges, folder / "clip" / merges.filename());
  const auto imported = import_tokenizer(folder / "clip", "clip", {}, folder / "out");
  EXPECT_EQ(imported.size, 49408);
  const auto tokenizer = SubwordTokenizer::open(folder / "out");
  EXPECT_THAT(tokenizer.ids("a photo of a cat", 77),
              ElementsAre(49406, 320, 1125, 539, 320, 2368, 49407));
  EXPECT_THAT(tokenizer.ids("", 77), ElementsAre(49406, 49407));
}

TEST(ImportTokenizer, ARealTokenizerJson) {
  const auto data = real_data();
  const auto file = data / "models/tokenizers/wordpiece-tokenizer.json";
  if (data.empty() || !std::filesystem::exists(file)) GTEST_SKIP() << "HINNY_DATA has none";
  const Scratch folder;
  std::filesystem::create_directory(folder / "bert");
  std::filesystem::copy(file, folder / "bert/tokenizer.json");
  const auto imported = import_tokenizer(folder / "bert", "bert", {}, folder / "out");
  EXPECT_EQ(imported.size, 30522);
  EXPECT_EQ(imported.padding, 0);
  EXPECT_THAT(SubwordTokenizer::open(folder / "out").ids("Hello, world!", 64),
              ElementsAre(101, 7592, 1010, 2088, 999, 102));
}

}  // namespace
}  // namespace hinny

// An option acts in the modes of a verb that it is declared for: what the verb says, or leaves in
// its files, is another with it than without (options_test.cc tries the other modes).
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "base/content_hash.h"
#include "tests/tiny_dataset.h"
#include "tests/tiny_parallel_text.h"
#include "tests/verb_options.h"

namespace hinny::verb_options {
namespace fs = std::filesystem;
namespace {

const fs::path kOld = fs::path(__FILE__).parent_path() / "old_models";

// Verbs and modes that this test does not start, and where their options are tried.
const std::map<std::string, std::string> kElsewhere = {
    {"import", "src/data/importers"},
    {"import multi30k", "src/data/importers"},
    {"import karpathy", "src/data/importers"},
    {"import coco", "src/data/importers"},
    {"import coco-cn", "src/data/importers"},
    {"import crossmodal", "src/data/importers"},
    {"import xtd", "src/data/importers"},
    {"import precomp", "src/data/importers"},
    {"import mule", "src/data/importers"},
    {"import jsonl", "src/data/importers"},
    {"import csv", "src/data/importers"},
    {"import flickr8k", "src/data/importers"},
    {"import imagefolder", "src/data/importers"},
    {"import parallel", "src/data/importers"},
    {"import dataset", "src/data/importers"},
    {"vectors", "its subcommands"},
    {"vectors import", "end_to_end_test.cc"},
    {"features", "networks_program_test.cc, parts_program_test.cc"},
    {"augment", "translating_test.cc"},
    {"doctor", "end_to_end_test.cc"},
    {"serve", "serving_test.cc"},
    {"service", "service_program_test.cc"},
    {"service install", "service_program_test.cc"},
    {"service status", "service_program_test.cc"},
    {"service remove", "service_program_test.cc"},
    {"index merge", "parts_program_test.cc"},
    {"index with --pictures --watch", "following_test.cc"},
    {"push in a push", "postgres/check"},
    {"search with --in DATABASE", "postgres/check"},
    {"search with --sentences --in DATABASE", "postgres/check"},
    {"encode with --merge", "parts_program_test.cc"},
};

// Options whose effect no outcome of so small a run shows, and where it is shown.
const std::map<std::string, std::string> kUnseen = {
    {"train --resume", "resume_test.cc"},
    {"train --checkpoint-seconds", "resume_test.cc"},
    {"train --processes", "processes_test.cc"},
    {"train --profile", "on stderr alone"},
    {"index --no-graph", "src/index/folder: ten thousand pictures"},
    {"search --each-frame", "src/index/asking/results_test.cc"},
    {"search --near-copies", "src/index/asking/near_copies_test.cc"},
    {"search --literal", "src/index/asking/spoken_filters_test.cc"},
    {"search --rerank", "attending_test.cc"},
    {"search --translate", "query_translation_test.cc"},
    {"vectors pca --given", "src/text/tokenizer_test.cc"},
    {"vectors train --given", "src/text/tokenizer_test.cc"},
    {"translate --beam", "src/text/beam_test.cc"},
    {"eval --beam", "src/text/beam_test.cc"},
};

// What a try begins with, by verb and mode; words in capitals are paths of the World.
struct Start {
  Words words;
  std::string input{};  // standard input
};

const Words kTiny = {"--threads", "1", "--features", "toy"};
const Words kTinyKeys = words_of(
    "--set text.dim=8 --set text.min_count=1 --set image.hidden=16 --set dim=8 --set "
    "sample.images_per_batch=8 --set train.epochs=2");

const std::map<std::string, Start>& starts() {
  static const std::map<std::string, Start> all = {
      {"eval in a table of recall", {words_of("eval LOOK --data TINY")}},
      {"eval with --with", {words_of("eval LOOK --data TINY --with PLAIN")}},
      {"eval with --against", {words_of("eval LOOK --data TINY --against PLAIN")}},
      {"eval with --hard", {words_of("eval LOOK --data TINY --hard 3 --split train")}},
      {"eval with --rerank", {words_of("eval LOOK --data TINY --rerank 4")}},
      {"eval with --clc",
       {words_of("eval MULE --data DATA --translations DATA/translations --clc average")}},
      {"eval with --clc learned",
       {words_of("eval MULE --data DATA --translations DATA/translations --clc learned "
                 "--clc-split train")}},
      {"eval for a model that translates", {words_of("eval NMT --data PAIRS")}},
      {"index with --data", {words_of("index PLAIN --data TINY --out OUT")}},
      {"index with --pictures", {words_of("index BUNDLE --pictures PICTURES --out OUT")}},
      {"index add", {words_of("index add INDEX --data DATA --split val")}},
      {"index update", {words_of("index update INDEX --data DATA --split val")}},
      {"index remove", {words_of("index remove INDEX i33")}},
      {"search in a search of an index's folder", {words_of("search INDEX green --lang en")}},
      {"search with --sentences", {words_of("search INDEX --like i33 --sentences LINES")}},
      {"recipes with --keys", {words_of("recipes --keys")}},
      {"recipes with NAME", {words_of("recipes bag")}},
      {"recipes in the list of recipes", {words_of("recipes")}},
      {"encode for all lines", {words_of("encode PLAIN"), "green car\nrot\n"}},
      {"encode with --part",
       {words_of("encode PLAIN --part 1/2 --out OUT/v.npy"), "green car\nrot\n"}},
      {"push with --print-sql", {words_of("push --print-sql")}},
      {"translate for sentences without pictures",
       {words_of("translate NMT --from en --to de"), "green car\n"}},
      {"translate with --image",
       {words_of("translate MMT --from en --to de --image IDS --data PAIRS"), "green car\n"}},
      {"translate for a small copy, which has neither recipe nor picture layer",
       {words_of("translate COPY --from en --to de"), "green car\n"}},
      {"vectors train", {words_of("vectors train --data TINY --out OUT --epochs 2")}},
      {"vectors pca", {words_of("vectors pca VECTORS --dim 2 --out OUT/x.vec")}},
      {"draw", {words_of("draw --out OUT --images 20")}},
      {"score", {words_of("score SAID MEANT")}},
      {"inspect", {words_of("inspect MULE")}},
      {"export", {words_of("export PLAIN --out OUT")}},
      {"bundle of a trained model", {words_of("bundle SEEING --out OUT")}},
      {"bundle of a pretrained model's folder", {words_of("bundle SIGLIP --out OUT")}},
      {"train in a new training",
       {words_of("train bag --data TINY --out OUT") + kTiny + kTinyKeys}},
      {"train with --regions",
       {words_of("train bag --data TINY --out OUT --regions grid --set look.text.dim=8 --set "
                 "look.dim=8 --set look.image.hidden=16 --set look.image.start=random --set "
                 "look.text.vectors=random --set look.train.epochs=1 --set look.hubs.size=8") +
        kTiny + kTinyKeys}},
      {"train with --more-epochs",
       {words_of("train bag --data TINY --out PLAIN --more-epochs 1") + kTiny + kTinyKeys}},
      {"train with --add-language",
       {words_of("train bag --from PLAIN --add-language fr --parallel FRENCH --out OUT --threads "
                 "1 --set train.epochs=1 --set text.min_count=1")}},
      {"train with --from",
       {words_of(
            "train bag --from PLAIN --data TINY --out OUT --set sample.images_per_batch=8 --set "
            "train.epochs=2") +
        kTiny}},
      {"train for a model that translates",
       {words_of("train nmt --data PAIRS --out OUT --languages en,de --threads 1 --set "
                 "translation.embedding=8 --set translation.hidden=8 --set train.epochs=1")}},
  };
  return all;
}

// Where another value than any shows the effect, or another start does: words instead of the
// start's (empty: those), beside the option, and its value.
struct Try {
  std::string start{};
  std::string beside{};
  std::string value{};
};

const std::map<std::string, Try> kTries = {
    {"eval --folds", {.value = "2"}},
    {"eval --hubs", {.value = "off"}},
    {"eval --weights", {.value = "0.001,9"}},
    {"index --part", {.value = "1/2"}},
    {"index --weights", {.value = "fp32"}},
    {"index --codes", {.value = "2"}},
    {"export --weights", {.value = "fp32"}},
    {"search --near", {.value = "47,8"}},
    {"search --within", {.beside = "--near 47,8", .value = "no-such"}},
    {"search --sort", {.value = "time"}},
    {"search --kind", {.value = "film"}},
    {"search --shape", {.value = "square"}},
    {"search --min-size", {.value = "1MP"}},
    {"search --max-size", {.value = "1MP"}},
    {"search --not", {.value = "house"}},
    {"search --not-weight", {.beside = "--not house", .value = "3"}},
    {"search --image-weight", {.beside = "--like i33", .value = "3"}},
    {"search --explain", {.start = "search ATTENDING green --lang en"}},
    {"translate --length-power", {.beside = "--nbest 2", .value = "3"}},
    {"translate --max-words", {.value = "1"}},
    {"bundle --lower-case", {.value = "no"}},
    {"inspect --verify", {.start = "inspect INDEX"}},
    {"inspect --words", {.start = "inspect TINY", .value = "2"}},
    {"score --lang", {.value = "zh"}},
    {"vectors pca --lang", {.beside = "--data TINY", .value = "en"}},
    {"vectors pca --data", {.beside = "--lang en", .value = "TINY"}},
    {"vectors train --min-count", {.value = "10"}},
    {"vectors train --seed", {.value = "7"}},  // fastText takes 0 for 1
    {"train RECIPE", {.value = "vse"}},
    {"train --more-epochs", {.value = "2"}},
    {"train --set", {.value = "train.seed=9"}},
};

class Acting : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Scratch;
    tiny_ = new TinyDataset;
    lines_ = new TinyParallelText;
    const Words keys = kTiny + kTinyKeys + words_of("--set hubs.size=8");
    for (const Words& words :
         {Words{"train", "bag", "--data", tiny_->folder(), "--out", made("PLAIN")} + kTiny +
              kTinyKeys,
          Words{"train", "bag", "--data", tiny_->folder(), "--out", made("LOOK"), "--regions",
                "grid"} +
              keys +
              words_of("--set look.text.dim=8 --set look.dim=8 --set look.image.hidden=16 --set "
                       "look.image.start=random --set look.text.vectors=random --set "
                       "look.train.epochs=1 --set look.hubs.size=8 --set look.text.min_count=1"),
          Words{"draw", "--out", made("DRAWN"), "--images", "20"}, Words{"features", made("DRAWN")},
          Words{"train", "bag", "--data", made("DRAWN"), "--features", "builtin-1", "--languages",
                "en,de", "--out", made("SEEING"), "--threads", "1"} +
              kTinyKeys,
          Words{"bundle", made("SEEING"), "--out", made("BUNDLE")},
          Words{"export", kOld / "nmt", "--out", made("COPY")},
          Words{"vectors", "train", "--data", tiny_->folder(), "--lang", "en", "--out",
                made("vectors"), "--dim", "4", "--threads", "1"}}) {
      const Outcome done = run_hinny(words);
      ASSERT_EQ(done.code, 0) << text_of(words) << done.err;
    }
    fs::copy_file(made("vectors") + "/en.vec", made("VECTORS"));
    fs::copy(made("DRAWN") + "/images", made("PICTURES"));
    write_file(made("LINES"), "green car\nblau Haus\n");
    write_file(made("IDS"), "i33\n");
    write_file(made("SAID"), "A green Car there\n");
    write_file(made("MEANT"), "a green car, there !\n");
  }
  static void TearDownTestSuite() {
    delete made_;
    delete tiny_;
    delete lines_;
  }
  static std::string made(const std::string& name) { return *made_ / name; }

  // A fresh copy of all that a verb may change, at a place that is always the same.
  void reset_world() const {
    fs::remove_all(world_);
    fs::create_directories(world_);
    const auto deep = fs::copy_options::recursive;
    for (const char* name : {"PLAIN", "LOOK", "SEEING"}) fs::copy(made(name), world_ / name, deep);
    fs::copy(kOld / "mule", world_ / "MULE", deep);
    fs::copy(kOld / "index", world_ / "INDEX", deep);
  }
  std::string real(const std::string& word) const {
    for (const char* name : {"PLAIN", "LOOK", "SEEING", "MULE", "INDEX", "OUT"}) {
      if (word == name || word.starts_with(std::string(name) + "/")) return world_ / word;
    }
    const std::map<std::string, fs::path> fixed = {
        {"TINY", tiny_->folder()},
        {"FRENCH", lines_->folder()},
        {"DATA", kOld / "data"},
        {"DATA/translations", kOld / "data/translations"},
        {"PAIRS", kOld / "data-pairs"},
        {"NMT", kOld / "nmt"},
        {"MMT", kOld / "mmt"},
        {"ATTENDING", kOld / "index-attention"},
        {"SIGLIP", kOld.parent_path() / "pretrained/folders/siglip2"},
        {"BUNDLE", made("BUNDLE")},
        {"COPY", made("COPY")},
        {"VECTORS", made("VECTORS")},
        {"PICTURES", made("PICTURES")},
        {"LINES", made("LINES")},
        {"IDS", made("IDS")},
        {"SAID", made("SAID")},
        {"MEANT", made("MEANT")}};
    const auto found = fixed.find(word);
    return found == fixed.end() ? word : found->second.string();
  }

  // All that the command says, and what lies in the world after it. Logs hold times.
  std::string outcome_of(Words words, const std::string& input) const {
    for (std::string& word : words) word = real(word);
    reset_world();
    RunOptions options;
    options.input = input;
    options.folder = world_;  // "no-such" may become an output there
    const Outcome done = run_hinny(words, options);
    std::string all = std::to_string(done.code) + "\n" + done.out;
    if (done.code != 0) all += done.err;
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(world_)) {
      const std::string path = entry.path().string();
      const bool timed = path.find("metrics.jsonl") != std::string::npos ||
                         path.find("/checkpoint/") != std::string::npos ||
                         path.ends_with(".lock") || path.ends_with("README.md");
      if (timed || !entry.is_regular_file()) continue;
      // Event files are named by the time.
      files.insert(path.find("/tensorboard/") != std::string::npos
                       ? "tensorboard"
                       : path + " " + content_hash(entry.path()));
    }
    for (const std::string& file : files) all += file + "\n";
    return all;
  }

  // The start's words with the option: in place of a value that is there, or behind them.
  static Words with(Words words, const Verb& verb, const Option& option, const std::string& value) {
    if (option.is_argument()) {
      const std::size_t place = words_of(verb.name).size();
      std::size_t before = 0;
      for (const Option& other : verb.options) {
        if (&other == &option) break;
        before += other.is_argument() ? 1 : 0;
      }
      const std::size_t at = place + before;
      if (at < words.size() && !words[at].starts_with('-')) {
        words[at] = value;
        return words;
      }
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())), value);
      return words;
    }
    const auto there = std::ranges::find_if(
        words, [&](const std::string& word) { return has(option.names, word); });
    if (there == words.end() || option.name() == "--set") return words + option.given(value);
    if (!option.value.empty()) *(there + 1) = value;
    return words;
  }

  void expect_acting(const Verb& verb, const std::string& how, const Start& start,
                     const std::string& plain, const Option& option) const {
    const std::string name = verb.name + " " + option.name();
    if (option.is_of_the_program() || kUnseen.contains(name)) return;
    const bool chooses = option.value.empty() && has(start.words, option.name());
    if (chooses) return;  // without it, it is another mode
    const auto found = kTries.find(name);
    const Try how_to = found == kTries.end() ? Try{} : found->second;
    Words words = how_to.start.empty() ? start.words : words_of(how_to.start);
    const Mode mode{how};
    words =
        words + (how_to.beside.empty() && found == kTries.end() ? verb.company(option, mode, words)
                                                                : words_of(how_to.beside));
    const std::string without = words == start.words ? plain : outcome_of(words, start.input);
    const std::string value = how_to.value.empty() ? option.some_value() : how_to.value;
    const Words tried = with(words, verb, option, value);
    EXPECT_NE(outcome_of(tried, start.input), without)
        << name << " does nothing " << how << ": " << text_of(tried);
  }

  static Scratch* made_;
  static TinyDataset* tiny_;
  static TinyParallelText* lines_;
  const Scratch scratch_;
  const fs::path world_ = scratch_ / "world";
};
Scratch* Acting::made_ = nullptr;
TinyDataset* Acting::tiny_ = nullptr;
TinyParallelText* Acting::lines_ = nullptr;

TEST_F(Acting, EveryOptionWhereItIsDeclaredTo) {
  std::set<std::string> walked;
  for (const Verb& verb : verbs()) {
    for (const Mode& mode : verb.modes) {
      const std::string name = mode.how.empty() ? verb.name : verb.name + " " + mode.how;
      if (kElsewhere.contains(name) || kElsewhere.contains(verb.name)) continue;
      const auto start = starts().find(name);
      if (start == starts().end()) {
        ADD_FAILURE() << name << ": nothing starts it, and nothing says where else it is tried";
        continue;
      }
      walked.insert(name);
      const std::string plain = outcome_of(start->second.words, start->second.input);
      EXPECT_TRUE(plain.starts_with("0\n")) << name << ": " << plain;
      EXPECT_EQ(plain, outcome_of(start->second.words, start->second.input)) << name;
      for (const Option& option : verb.options) {
        if (option.acts_in(mode.how)) expect_acting(verb, mode.how, start->second, plain, option);
      }
    }
  }
  EXPECT_EQ(walked.size(), starts().size()) << "a start of a mode that there is not";
}

}  // namespace
}  // namespace hinny::verb_options

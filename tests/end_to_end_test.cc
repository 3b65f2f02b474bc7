// The whole way as a user goes it: each verb of `hinny --help` works on what those before it made.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "tests/local_http.h"
#include "tests/program.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

// The verbs, in the order of `hinny --help`: "  draw       draw a picture set ...".
Words verbs_of_the_program() {
  const Outcome overview = run_hinny({"--help"});
  EXPECT_EQ(overview.code, 0) << overview.err;
  Words verbs;
  std::istringstream lines(overview.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 3 || !line.starts_with("  ") || line[2] == ' ') continue;
    verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_THAT(verbs, testing::IsSupersetOf({"draw", "train", "search", "doctor"}));
  return verbs;
}

std::string output_of(const Words& words, const std::string& input = "") {
  RunOptions options;
  options.input = input;
  const Outcome outcome = run_hinny(words, options);
  EXPECT_EQ(outcome.code, 0) << testing::PrintToString(words) << "\n" << outcome.err;
  return outcome.out;
}

nlohmann::json json_of(Words words, const std::string& input = "") {
  words.emplace_back("--json");
  const std::string out = output_of(words, input);
  auto json = nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << out;
  return json;
}

// A function for each verb, called in the program's own order.
class EndToEnd : public testing::Test {
 protected:
  void draw() {
    output_of({"draw", "--out", pictures, "--images", "120", "--seed", "3"});
    EXPECT_TRUE(fs::exists(fs::path(pictures) / "captions.jsonl"));
  }

  // Captions that say the same in two languages, to translate with.
  void import() {
    std::string lines;
    for (int i = 0; i < 40; ++i) {
      const std::string image = R"({"image": ")" + std::to_string(i) + R"(", "split": ")" +
                                (i < 30 ? "train" : "test") + R"(", "lang": )";
      const std::string number = std::to_string(i % 5);
      lines += image + R"("en", "text": "this is number )" + number + "\"}\n";
      lines += image + R"("de", "text": "dies ist nummer )" + number + "\"}\n";
    }
    write_file(scratch / "mine.jsonl", lines);
    output_of({"import", "jsonl", scratch / "mine.jsonl", "--out", mine});
    EXPECT_EQ(json_of({"inspect", mine})["images"], 40);
  }

  void features() {
    output_of({"features", pictures, "--encoder", "builtin"});
    EXPECT_TRUE(fs::exists(fs::path(pictures) / "features" / "builtin-1.npy"));
  }

  void vectors() {
    output_of({"vectors", "train", "--data", pictures, "--lang", "de", "--dim", "8", "--epochs",
               "1", "--out", scratch / "vectors"});
    EXPECT_THAT(read_file(scratch / "vectors" / "de.vec"), HasSubstr("\nein "));
  }

  void train() {
    output_of({"train", "bag", "--data", pictures, "--features", "builtin", "--out", run,
               "--languages", "en,de,zh", "--set", "train.epochs=20", "--set",
               "sample.images_per_batch=32"});
    Words words = {"train", "nmt", "--data", mine, "--out", translator};
    for (const char* key : {"translation.directions=[\"en-de\"]", "translation.embedding=16",
                            "translation.hidden=16", "translation.merges=100", "train.epochs=1"}) {
      words.insert(words.end(), {"--set", key});
    }
    output_of(words);
    for (const std::string& made : {run, translator}) {
      EXPECT_TRUE(fs::exists(fs::path(made) / "model.safetensors"));
    }
  }

  void eval() {
    const auto table = json_of({"eval", run, "--data", pictures});
    EXPECT_EQ(table["split"], "test");
    EXPECT_EQ(table["languages"].size(), 3U);
    for (const char* direction : {"image_to_text", "text_to_image"}) {
      EXPECT_LE(table["languages"]["de"][direction]["r1"],
                table["languages"]["de"][direction]["r10"]);
    }
    const double images = table["images"];
    EXPECT_GT(table["average"].get<double>(), 100.0 * 2 * (16.0 / 3) / images)
        << "no better than twice chance";
  }

  void translate() {
    const std::string out =
        output_of({"translate", translator, "--from", "en", "--to", "de"}, "this is number 3\n\n");
    EXPECT_EQ(std::ranges::count(out, '\n'), 2) << out;
  }

  void augment() {
    const std::string more = scratch / "more";
    output_of({"augment", translator, "--data", mine, "--from", "en", "--to", "de", "--splits",
               "test", "--beam", "1", "--out", more});
    EXPECT_THAT(read_file(fs::path(more) / "captions.jsonl"), HasSubstr("\"machine-translation\""));
  }

  void score() {
    write_file(scratch / "translated", "ein roter Ball\n");
    const auto scores = json_of({"score", scratch / "translated", scratch / "translated"});
    EXPECT_NEAR(scores["chrf2"]["score"], 100, 1e-9);
  }

  void recipes() {
    EXPECT_THAT(output_of({"recipes"}), HasSubstr("mule"));
    EXPECT_THAT(output_of({"recipes", "bag"}), HasSubstr("system = \"bag\""));
  }

  void encode() {
    EXPECT_THAT(output_of({"encode", run, "--lang", "de"}, "ein Hund\nein Haus\n"),
                HasSubstr("(2, 512)"));
  }

  void export_model() {
    output_of({"export", run, "--out", scratch / "small", "--weights", "int8"});
    EXPECT_THAT(output_of({"encode", scratch / "small", "--lang", "de"}, "ein Hund\n"),
                HasSubstr("(1, 512)"));
  }

  void bundle() {
    const std::string bundle = scratch / "bundle";
    output_of({"bundle", run, "--out", bundle});
    EXPECT_THAT(output_of({"inspect", bundle}), HasSubstr("de"));
    EXPECT_THAT(output_of({"index", bundle, "--pictures", pictures + "/images", "--out",
                           scratch / "folder"}),
                HasSubstr("120 pictures (120 new)"));
  }
  void make_index() {
    output_of({"index", run, "--data", pictures, "--split", "test", "--out", index});
    EXPECT_TRUE(fs::exists(fs::path(index) / "index.json"));
  }

  void search() {
    for (const char* query : {"a red ball", "ein roter Ball", "红色的球"}) {
      const auto answer = json_of({"search", index, query, "-k", "3"});
      EXPECT_EQ(answer["query"], query);
      ASSERT_EQ(answer["results"].size(), 3U);
      EXPECT_GE(answer["results"][0]["score"], answer["results"][1]["score"]);
      EXPECT_TRUE(fs::exists(answer["results"][0]["file"].get<std::string>()));
    }
  }

  // What it would say; tests/postgres/check has a server that it says it to.
  void push() { EXPECT_THAT(output_of({"push", "--print-sql"}), HasSubstr("{staging}")); }

  // Asked until it answers, then told to stop.
  void serve() {
    const int port = free_port();
    std::optional<std::string> answer;
    RunOptions options;
    options.kill_signal = SIGTERM;
    options.kill_when = [&] {
      answer = get_from_local(port, "/v1/search?q=drei+gelbe+Blumen&k=1");
      return answer.has_value();
    };
    const Outcome outcome = run_hinny({"serve", index, "--port", std::to_string(port)}, options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_TRUE(answer) << outcome.err;
    EXPECT_THAT(*answer, HasSubstr("HTTP/1.1 200"));
    EXPECT_THAT(*answer, testing::ContainsRegex("\"language\": *\"de\""));
  }

  void inspect() {
    for (const std::string& path : {pictures, run, index}) {
      EXPECT_THAT(output_of({"inspect", path}), HasSubstr("de"));
    }
  }

  // Written, not started: tests run where nobody logged in.
  void service() {
    ::setenv("XDG_CONFIG_HOME", (scratch / "config").c_str(), 1);
    output_of({"service", "install", run, "--pictures", fs::path(pictures) / "images", "--out",
               scratch / "watched", "--no-start"});
    EXPECT_TRUE(fs::exists(fs::path(scratch / "config") / "systemd/user"));
    EXPECT_THAT(run_hinny({"service", "status"}).out, HasSubstr("watched"));
    ::unsetenv("XDG_CONFIG_HOME");
  }

  void doctor() {
    const Outcome outcome = run_hinny({"doctor"});
    EXPECT_NE(outcome.code, 2) << outcome.err;  // 1: this machine lacks something
    EXPECT_THAT(outcome.out, HasSubstr("libtorch"));
  }

  const Scratch scratch;
  const std::string pictures = scratch / "pictures", mine = scratch / "mine", run = scratch / "run",
                    translator = scratch / "translator", index = scratch / "index";
};

TEST_F(EndToEnd, FromDrawnPicturesToAnswersByEveryVerb) {
  const std::map<std::string, std::function<void()>> checks = {
      {"draw", [this] { draw(); }},           {"import", [this] { import(); }},
      {"features", [this] { features(); }},   {"vectors", [this] { vectors(); }},
      {"train", [this] { train(); }},         {"eval", [this] { eval(); }},
      {"translate", [this] { translate(); }}, {"augment", [this] { augment(); }},
      {"score", [this] { score(); }},         {"recipes", [this] { recipes(); }},
      {"encode", [this] { encode(); }},       {"export", [this] { export_model(); }},
      {"bundle", [this] { bundle(); }},       {"index", [this] { make_index(); }},
      {"search", [this] { search(); }},       {"serve", [this] { serve(); }},
      {"inspect", [this] { inspect(); }},     {"doctor", [this] { doctor(); }},
      {"push", [this] { push(); }},           {"service", [this] { service(); }},
  };
  for (const std::string& verb : verbs_of_the_program()) {
    SCOPED_TRACE("hinny " + verb);
    const auto check = checks.find(verb);
    if (check == checks.end()) {
      ADD_FAILURE() << "this test does nothing with it: give it a function here";
      continue;
    }
    check->second();
    if (HasFatalFailure()) return;
  }
}

TEST_F(EndToEnd, EveryVerbExplainsItselfWithAnExample) {
  for (const std::string& verb : verbs_of_the_program()) {
    const Outcome help = run_hinny({verb, "--help"});
    EXPECT_EQ(help.code, 0) << verb << help.err;
    EXPECT_THAT(help.out, HasSubstr("example")) << verb;
  }
}

}  // namespace
}  // namespace hinny

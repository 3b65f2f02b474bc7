// Every wrong input gives one line `error: ...`, the right exit code, and costs nothing that was
// there before.
#include <gmock/gmock.h>

#include <cstring>
#include <functional>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Setting {
  fs::path data;     // a good dataset, of the case's own
  fs::path run;      // a trained run
  fs::path index;    // an index of its test pictures
  fs::path scratch;  // room for new files
};

struct Case {
  const char* name;
  int code;
  const char* message;                        // part of the line
  std::function<void(const Setting&)> spoil;  // may be empty
  std::function<std::vector<std::string>(const Setting&)> command;
  rlim_t file_limit = RLIM_INFINITY;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

void edit(const fs::path& file, const std::string& from, const std::string& to) {
  write_file(file, replaced(read_file(file), from, to));
}

void append(const fs::path& file, const std::string& line) {
  write_file(file, read_file(file) + line + "\n");
}

void truncate(const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 7); }

void set_number(const fs::path& npy, std::uint32_t bits) {
  std::string bytes = read_file(npy);
  std::memcpy(bytes.data() + bytes.size() - 4, &bits, 4);
  write_file(npy, bytes);
}

std::vector<std::string> train(const Setting& s) {
  return tiny_training(s.data, s.scratch / "run");
}
std::vector<std::string> train_with(const Setting& s, const std::vector<std::string>& more) {
  return tiny_training(s.data, s.scratch / "run", more);
}
std::vector<std::string> evaluate(const Setting& s) { return {"eval", s.run, "--data", s.data}; }

std::vector<Case> cases() {
  const fs::path captions = "captions.jsonl", images = "images.jsonl";
  const fs::path toy = fs::path("features") / "toy.npy", ids = fs::path("features") / "ids.txt";
  return {
      {"no_dataset",
       2,
       "nowhere",
       {},
       [](const Setting& s) { return tiny_training("nowhere", s.scratch / "run"); }},
      {"missing_split",
       2,
       "no image in split 'dev'",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"eval", s.run, "--data", s.data, "--split", "dev"};
       }},
      {"no_train_split", 2, "train",
       [=](const Setting& s) {
         std::string text = read_file(s.data / images);
         while (text.find("\"train\"") != std::string::npos) {
           text = replaced(text, "\"train\"", "\"other\"");
         }
         write_file(s.data / images, text);
       },
       train},
      {"caption_of_unknown_image", 2, "captions.jsonl:161: ",
       [=](const Setting& s) {
         append(s.data / captions, R"({"image":"i99","lang":"en","text":"x","source":"mmt"})");
       },
       train},
      {"duplicate_image", 2, "images.jsonl:41: ",
       [=](const Setting& s) { append(s.data / images, R"({"image":"i0","split":"train"})"); },
       train},
      {"broken_json", 2, "captions.jsonl:161: ",
       [=](const Setting& s) { append(s.data / captions, R"({"image":"i0",)"); }, train},
      {"broken_utf8", 2, "captions.jsonl:1: broken UTF-8",
       [=](const Setting& s) { edit(s.data / captions, "red", "r\xC3("); }, train},
      {"unknown_source", 2, "captions.jsonl:1: ",
       [=](const Setting& s) { edit(s.data / captions, "human-original", "human-orignal"); },
       train},
      {"empty_caption", 2, "captions.jsonl:1: ",
       [=](const Setting& s) { edit(s.data / captions, "red ball", "  "); }, train},
      {"picture_outside_the_folder", 2, "images.jsonl:1: ",
       [=](const Setting& s) { edit(s.data / images, "i0.png", "../../i0.png"); }, train},
      {"features_rows_do_not_match", 2, "39",
       [=](const Setting& s) { edit(s.data / ids, "i39\n", ""); }, train},
      {"duplicate_feature_id", 2, "i38",
       [=](const Setting& s) { edit(s.data / ids, "i39\n", "i38\n"); }, train},
      {"nan_in_features", 2, "i39",
       [=](const Setting& s) { set_number(s.data / toy, 0x7FC00000U); }, train},
      {"truncated_npy", 2, "toy.npy", [=](const Setting& s) { truncate(s.data / toy); }, train},
      {"not_an_npy", 2, "toy.npy", [=](const Setting& s) { write_file(s.data / toy, "hello"); },
       train},
      {"huge_npy_header", 2, "toy.npy",
       [=](const Setting& s) { edit(s.data / toy, "(40, 12)", "(4000000000000000000, 12)"); },
       train},
      {"unknown_features",
       2,
       "toy",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"train",           "bag",        "--data", s.data, "--out",
                                         s.scratch / "run", "--features", "resnet"};
       }},
      {"empty_vocabulary",
       2,
       "word",
       {},
       [](const Setting& s) {
         return train_with(s, {"--set", "text.min_count=1000"});
       }},
      {"unknown_key",
       2,
       "did you mean 'loss.margin'?",
       {},
       [](const Setting& s) {
         return train_with(s, {"--set", "loss.magrin=1"});
       }},
      {"recipe_file_line", 2, "mine.toml:2: unknown key 'train.epoch'",
       [](const Setting& s) { write_file(s.scratch / "mine.toml", "[train]\nepoch = 3\n"); },
       [](const Setting& s) {
         return std::vector<std::string>{"train", s.scratch / "mine.toml", "--data", s.data,
                                         "--out", s.scratch / "run"};
       }},
      {"wrong_type",
       2,
       "expected a whole number",
       {},
       [](const Setting& s) {
         return train_with(s, {"--set", "train.epochs=many"});
       }},
      // Before the data is looked for.
      {"no_such_choice",
       2,
       "--set loss.kind=triplett: loss.kind = 'triplett' (did you mean 'triplet'?)",
       {},
       [](const Setting& s) {
         return tiny_training("NOSUCHFOLDER", s.scratch / "run", {"--set", "loss.kind=triplett"});
       }},
      {"key_without_effect",
       2,
       "--set loss.neighbourhood=0.0: loss.neighbourhood has no effect on system bag",
       {},
       [](const Setting& s) {
         return tiny_training("NOSUCHFOLDER", s.scratch / "run",
                              {"--set", "loss.neighbourhood=0.0"});
       }},
      {"keys_that_do_not_go_together", 2, "mine.toml:3: image.start = directions with",
       [](const Setting& s) {
         write_file(s.scratch / "mine.toml", "base = 'hinny'\n[text]\nencoder = 'gru'\n");
       },
       [](const Setting& s) {
         return std::vector<std::string>{"train", s.scratch / "mine.toml", "--data", "NOSUCHFOLDER",
                                         "--out", s.scratch / "run"};
       }},
      {"option_without_effect",
       2,
       "--features: image.features has no effect on system nmt",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"train",      "nmt", "--data", "NOSUCHFOLDER",
                                         "--features", "toy", "--out",  s.scratch / "run"};
       }},
      {"unknown_recipe",
       2,
       "did you mean 'bag'?",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"train", "bagg",  "--data",
                                         s.data,  "--out", s.scratch / "run"};
       }},
      {"unknown_verb",
       2,
       "did you mean 'search'?",
       {},
       [](const Setting&) { return std::vector<std::string>{"serch"}; }},
      {"unknown_option",
       2,
       "--fast",
       {},
       [](const Setting& s) { return train_with(s, {"--fast"}); }},
      {"unknown_device",
       2,
       "tpu",
       {},
       [](const Setting& s) {
         return train_with(s, {"--device", "tpu"});
       }},
      {"language_not_in_data",
       2,
       "xx",
       {},
       [](const Setting& s) {
         return train_with(s, {"--languages", "en,xx"});
       }},
      {"language_the_model_lacks",
       2,
       "fr",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"eval", s.run, "--data", s.data, "--languages", "fr"};
       }},
      {"beam_of_a_model_that_retrieves",
       2,
       "--beam",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"eval", s.run, "--data", s.data, "--beam", "2"};
       }},
      {"query_language_the_model_lacks",
       2,
       "fr",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "rot", "--lang", "fr"};
       }},
      {"query_of_unknown_words",
       2,
       "know",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "xyzzy plugh"};
       }},
      {"truncated_model", 2, "model.safetensors",
       [](const Setting& s) { truncate(s.run / "model.safetensors"); }, evaluate},
      {"model_of_another_shape", 2, "model.safetensors",
       [](const Setting& s) {
         std::string text = read_file(s.run / "recipe.toml");
         write_file(s.run / "recipe.toml", replaced(text, "dim = 16", "dim = 8"));
       },
       evaluate},
      {"damaged_vocabulary", 2, "vocabulary.tsv:",
       [](const Setting& s) { append(s.run / "vocabulary.tsv", "en\tseven\tword\t1"); }, evaluate},
      {"index_of_another_model", 2, "model",
       [](const Setting& s) {
         std::string bytes = read_file(s.index / "encoder" / "model.safetensors");
         bytes.back() = static_cast<char>(bytes.back() ^ 1);
         write_file(s.index / "encoder" / "model.safetensors", bytes);
       },
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "rot"};
       }},
      {"truncated_index", 2, "vectors.npy",
       [](const Setting& s) { truncate(s.index / "vectors.npy"); },
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "rot"};
       }},
      {"truncated_scan", 2, "scan.safetensors",
       [](const Setting& s) { truncate(s.index / "scan.safetensors"); },
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "rot"};
       }},
      {"nothing_to_look_for",
       2,
       "nothing to look for",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index};
       }},
      {"newest_of_an_index_without_times",
       2,
       "does not know when its pictures were taken",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "rot", "--sort", "time"};
       }},
      {"picture_for_an_index_without_encoders",
       2,
       "does not know what makes a picture's features",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"search", s.index, "--image", s.data / "images.jsonl"};
       }},
      {"image_that_is_not_indexed",
       2,
       "no image 'nowhere'",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"index", "remove", s.index, "nowhere"};
       }},
      {"full_disk_while_updating", 1, "cannot write",
       [](const Setting& s) { append(s.data / "images.jsonl", ""); },
       [](const Setting& s) {
         return std::vector<std::string>{"index", "update",  s.index, "--data",
                                         s.data,  "--split", "val"};
       },
       200},
      {"full_disk_while_training", 1, "cannot write", {}, train, 2000},
      {"full_disk_while_indexing",
       1,
       "cannot write",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"index", s.run, "--data", s.data, "--out", s.index};
       },
       200},
      {"full_disk_while_drawing",
       1,
       "",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"draw", "--out", s.scratch / "drawn", "--images", "30"};
       },
       3000},
      {"import_of_nothing",
       2,
       "",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"import", "jsonl", s.scratch / "none.jsonl", "--out",
                                         s.scratch / "imported"};
       }},
      {"import_of_a_table_as_lines", 2,
       "captions.txt:1: not a JSON object (expected {\"image\":...,\"lang\":...,\"text\":...}); it "
       "looks "
       "like what `hinny import csv` reads",
       [](const Setting& s) { write_file(s.scratch / "captions.txt", "image,caption\na.jpg,x\n"); },
       [](const Setting& s) {
         return std::vector<std::string>{"import", "jsonl", s.scratch / "captions.txt", "--out",
                                         s.scratch / "imported"};
       }},
      {"recipe_in_utf_16", 2, "r.toml: is UTF-16 text",
       [](const Setting& s) { write_file(s.scratch / "r.toml", std::string("\xFF\xFEx\0", 4)); },
       [](const Setting& s) {
         return std::vector<std::string>{"train", s.scratch / "r.toml", "--data",
                                         s.data,  "--features",         "builtin-1",
                                         "--out", s.scratch / "run"};
       }},
      {"inspect_of_nothing",
       2,
       "",
       {},
       [](const Setting& s) {
         return std::vector<std::string>{"inspect", s.scratch / "none"};
       }},
  };
}

class BadInput : public testing::TestWithParam<Case> {
 protected:
  // Trained once; each case works on a copy.
  static const Setting& good() {
    static TinyDataset data;
    static Scratch scratch;
    static const Setting setting = [] {
      Setting s{data.folder(), scratch / "run", scratch / "index", ""};
      EXPECT_EQ(run_hinny(tiny_training(s.data, s.run)).code, 0);
      const Outcome made =
          run_hinny({"index", s.run, "--data", s.data, "--split", "test", "--out", s.index});
      EXPECT_EQ(made.code, 0) << made.err;
      return s;
    }();
    return setting;
  }
};

TEST_P(BadInput, GivesOneClearLineAndLosesNothing) {
  const Setting& kept = good();
  Scratch room;
  Setting s{room / "data", room / "run", room / "index", room / "scratch"};
  fs::copy(kept.data, s.data, fs::copy_options::recursive);
  fs::copy(kept.run, s.run, fs::copy_options::recursive);
  fs::copy(kept.index, s.index, fs::copy_options::recursive);
  fs::create_directories(s.scratch);
  if (GetParam().spoil) GetParam().spoil(s);
  const std::string index_before = content_hash(s.index / "index.json");

  RunOptions options;
  options.file_limit = GetParam().file_limit;
  const Outcome outcome = run_hinny(GetParam().command(s), options);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto last = outcome.err.rfind("error: ");
  ASSERT_NE(last, std::string::npos) << outcome.err;
  const std::string line = outcome.err.substr(last);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(line, HasSubstr(GetParam().message));

  EXPECT_EQ(content_hash(s.index / "index.json"), index_before);
  EXPECT_FALSE(fs::exists(s.scratch / "run" / "model.safetensors"));
  for (const auto& entry : fs::recursive_directory_iterator(room / "")) {
    EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << "left behind: " << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BadInput, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hinny

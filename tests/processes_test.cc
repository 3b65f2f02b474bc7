// hinny train in several processes: the model of one, whatever happens to one of them.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <random>

#include "base/read_file.h"
#include "base/safetensors.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "tests/tiny_parallel_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

// The largest difference between the models that two runs ended with, as a share of the largest
// number. The bias that batch normalisation takes away again has no gradient but that of rounding,
// which Adam makes large; the mean of what is normalised has it in it.
double apart(const fs::path& a, const fs::path& b) {
  const SafetensorsFile one = SafetensorsFile::open(a / "checkpoint" / "last.safetensors");
  const SafetensorsFile other = SafetensorsFile::open(b / "checkpoint" / "last.safetensors");
  double largest = 0, difference = 0;
  for (const auto& [name, view] : one.tensors()) {
    if (view.type == TensorType::int64 || !name.starts_with("model.")) continue;
    if (name.ends_with("fc1.bias") || name.ends_with("running_mean")) continue;
    const std::vector<float> x = view.floats(), y = other.tensors().at(name).floats();
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, static_cast<double>(std::abs(x[i])));
      difference = std::max(difference, static_cast<double>(std::abs(x[i] - y[i])));
    }
  }
  return difference / largest;
}

// The processes that `parent` started.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  const fs::path file =
      fs::path("/proc") / std::to_string(parent) / "task" / std::to_string(parent) / "children";
  std::ifstream in(file);
  for (pid_t child = 0; in >> child;) children.push_back(child);
  return children;
}

// A run's log without what the clock says.
std::vector<nlohmann::json> log_of(const fs::path& run) {
  std::vector<nlohmann::json> lines;
  std::ifstream in(run / "metrics.jsonl");
  for (std::string text; std::getline(in, text);) {
    lines.push_back(nlohmann::json::parse(text));
    lines.back().erase("captions_per_second");
  }
  return lines;
}

class SeveralProcesses : public testing::Test {
 protected:
  // Three batches an epoch, with dropout and batch normalisation.
  Words training(const std::string& run, const Words& more = {}) const {
    Words words = tiny_training(data_.folder(), run,
                                {"--set", "image.dropout=0.3", "--set", "precision=fp32"});
    return joined(words, more);
  }
  static Words by(int count) { return {"--processes", std::to_string(count)}; }
  TinyDataset data_;
  Scratch scratch_;
};

TEST_F(SeveralProcesses, TrainTheModelOfOne) {
  ASSERT_EQ(run_hinny(training(scratch_ / "one")).code, 0);
  for (const int count : {2, 3}) {
    const std::string run = scratch_ / std::to_string(count);
    const Outcome outcome = run_hinny(training(run, by(count)));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_LT(apart(scratch_ / "one", run), 1e-3);
    EXPECT_THAT(outcome.out, HasSubstr("average")) << "the table";
    EXPECT_EQ(outcome.out.find("val:"), outcome.out.rfind("val:")) << "once";
  }
}

TEST_F(SeveralProcesses, SameNumberSameBytes) {
  for (const char* run : {"a", "b"}) {
    ASSERT_EQ(run_hinny(training(scratch_ / run, by(2))).code, 0);
  }
  EXPECT_EQ(read_file(fs::path(scratch_ / "a") / "model.safetensors"),
            read_file(fs::path(scratch_ / "b") / "model.safetensors"));
}

// More processes than some language has captions in a batch, and a loss on every pair of languages.
TEST_F(SeveralProcesses, TrainWhateverTheSystem) {
  for (const std::string recipe : {"mule", "vse", "scan", "late"}) {
    const bool regions = recipe == "scan" || recipe == "late";
    const auto words = [&](const std::string& run, const Words& more) {
      Words all = {"train",     recipe, "--data",     data_.folder(),
                   "--out",     run,    "--features", regions ? "grid" : "toy",
                   "--threads", "1"};
      for (const char* key : {"text.dim=12", "text.min_count=1", "dim=12", "text.vectors=random",
                              "sample.images_per_batch=10", "train.epochs=6", "precision=fp32"}) {
        all = joined(all, {"--set", key});
      }
      if (recipe == "vse") all = joined(all, {"--set", "text.project=true"});
      if (recipe == "late") all = joined(all, {"--set", "image.start=random"});
      if (recipe != "late") all = joined(all, {"--set", "text.hidden=12"});
      if (recipe == "mule") all = joined(all, {"--set", "text.mule_dim=12"});
      return joined(all, more);
    };
    const std::string one = scratch_ / (recipe + "-1"), four = scratch_ / (recipe + "-4");
    const Outcome alone = run_hinny(words(one, {}));
    ASSERT_EQ(alone.code, 0) << recipe << alone.err;
    const Outcome together = run_hinny(words(four, by(4)));
    ASSERT_EQ(together.code, 0) << recipe << together.err;
    EXPECT_LT(apart(one, four), 2e-3) << recipe;
  }
}

TEST_F(SeveralProcesses, GoOnAsAnotherNumber) {
  const Words longer = {"--resume", "--set", "train.epochs=200"};
  ASSERT_EQ(run_hinny(training(scratch_ / "whole", longer)).code, 0);
  const std::string run = scratch_ / "broken";
  int lines = 10;
  for (const int count : {2, 3, 1}) {
    RunOptions options;
    options.kill_when = logged(run, lines);
    options.kill_signal = SIGTERM;
    const Outcome outcome = run_hinny(joined(training(run, longer), by(count)), options);
    ASSERT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--resume goes on"));
    lines += 40;
  }
  const Outcome rest = run_hinny(joined(training(run, longer), by(2)));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_LT(apart(scratch_ / "whole", run), 1e-2);
}

// HINNY_KILLS of them; a few by default.
TEST_F(SeveralProcesses, KilledAtRandomTheyLoseNothing) {
  const char* wish = std::getenv("HINNY_KILLS");
  const int kills = wish == nullptr ? 2 : std::atoi(wish);
  const Words longer = {
      "--resume", "--set", "train.epochs=300", "--processes", "2", "--checkpoint-seconds", "0.01"};
  ASSERT_EQ(run_hinny(training(scratch_ / "whole", longer)).code, 0);
  const std::string run = scratch_ / "broken";
  std::mt19937 random(1);
  int done = 0;
  for (; done < kills; ++done) {
    const auto wait =
        std::chrono::milliseconds(std::uniform_int_distribution<int>(300, 4000)(random));
    const std::size_t victim = random() % 2;
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point killed{};
    RunOptions options;
    options.kill_signal = 0;
    options.kill_when = [&] {
      if (std::chrono::steady_clock::now() < begin + wait) return false;
      for (const pid_t parent : children_of(::getpid())) {
        const std::vector<pid_t> processes = children_of(parent);
        if (processes.size() != 2) continue;
        ::kill(processes[victim], SIGKILL);
        killed = std::chrono::steady_clock::now();
        return true;
      }
      return false;
    };
    const Outcome outcome = run_hinny(training(run, longer), options);
    if (outcome.code == 0) break;  // it was done before
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("was ended by signal 9"));
    EXPECT_LT(std::chrono::steady_clock::now() - killed, std::chrono::seconds(30)) << outcome.err;
  }
  RecordProperty("kills", done);
  const Outcome rest = run_hinny(training(run, longer));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(read_file(fs::path(scratch_ / "whole") / "model.safetensors"),
            read_file(fs::path(run) / "model.safetensors"))
      << "after " << done << " kills";
  EXPECT_EQ(log_of(scratch_ / "whole"), log_of(run)) << "after " << done << " kills";
}

TEST_F(SeveralProcesses, RefuseWhatIsNotTheSame) {
  TinyDataset smaller(10);
  const auto start = [&](int rank, const fs::path& data, const std::string& port) {
    return std::async(std::launch::async, [=, this] {
      const Words words = {"RANK=" + std::to_string(rank), "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                           "MASTER_PORT=" + port, HINNY_PROGRAM};
      return run_program(
          "/usr/bin/env",
          joined(words, tiny_training(data, scratch_ / ("rank" + std::to_string(rank)))));
    });
  };
  const std::string port = std::to_string(20000 + ::getpid() % 20000);
  auto first = start(0, data_.folder(), port);
  auto second = start(1, smaller.folder(), port);
  const Outcome a = first.get(), b = second.get();
  EXPECT_EQ(a.code, 2) << a.err;
  EXPECT_EQ(b.code, 2) << b.err;
  EXPECT_THAT(a.err, HasSubstr("do not have the same recipe and data"));
}

// Alone, where a job script has named two: each says for whom it waits, and hears the first Ctrl-C.
TEST_F(SeveralProcesses, WaitAudiblyAndEndAtTheFirstCtrlC) {
  const std::string port = std::to_string(20000 + (::getpid() + 1) % 20000);
  for (const std::string rank : {"0", "1"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::steady_clock::now() - begin; };
    RunOptions options;
    options.kill_signal = rank == "0" ? SIGINT : SIGTERM;
    options.kill_when = [&] { return passed() > std::chrono::seconds(12); };
    const Words words = {"RANK=" + rank, "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                         "MASTER_PORT=" + port, HINNY_PROGRAM};
    const Outcome outcome =
        run_program("/usr/bin/env", joined(words, training(scratch_ / ("rank" + rank))), options);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_LT(passed(), std::chrono::seconds(30));
    EXPECT_THAT(outcome.err, HasSubstr("process " + rank + " of 2: waiting for process " +
                                       (rank == "0" ? "1" : "0")));
    EXPECT_THAT(outcome.err, HasSubstr("127.0.0.1 port " + port));
    EXPECT_THAT(outcome.err, HasSubstr("interrupted while waiting for"));
    EXPECT_FALSE(fs::exists(scratch_ / ("rank" + rank)));
  }
}

TEST_F(SeveralProcesses, ThatSayTheSameOfThemselvesAreRefused) {
  const std::string port = std::to_string(20000 + (::getpid() + 2) % 20000);
  const auto start = [&](const std::string& rank, const std::string& size) {
    return std::async(std::launch::async, [=, this] {
      const Words words = {"RANK=" + rank, "WORLD_SIZE=" + size, "MASTER_ADDR=127.0.0.1",
                           "MASTER_PORT=" + port, HINNY_PROGRAM};
      RunOptions options;
      options.kill_signal = SIGINT;
      const auto begin = std::chrono::steady_clock::now();
      options.kill_when = [begin] {
        return std::chrono::steady_clock::now() - begin > std::chrono::seconds(20);
      };
      return run_program("/usr/bin/env", joined(words, training(scratch_ / ("of" + size))),
                         options);
    });
  };
  auto first = start("0", "3");
  auto other = start("1", "4");
  const Outcome size = other.get();
  EXPECT_EQ(size.code, 2) << size.err;
  EXPECT_THAT(size.err, HasSubstr("process 1 is one of 4, and process 0 of 3"));
  auto one = start("1", "3"), two = start("1", "3");
  const Outcome a = one.get(), b = two.get();
  EXPECT_THAT(a.err + b.err, HasSubstr("two processes say that they are process 1"));
  first.get();
}

TEST_F(SeveralProcesses, SayWhatTheEnvironmentLacks) {
  ::setenv("WORLD_SIZE", "2", 1);
  const Outcome outcome = run_hinny(training(scratch_ / "run"));
  const Outcome alone = run_hinny(training(scratch_ / "run", by(1)));
  ::unsetenv("WORLD_SIZE");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no RANK"));
  EXPECT_EQ(alone.code, 0) << alone.err;
}

TEST_F(SeveralProcesses, TrainATranslatorToo) {
  TinyParallelText lines;
  const auto words = [&](const std::string& run, const Words& more) {
    Words all = {"train", "nmt",         "--data", lines.folder(), "--out",
                 run,     "--languages", "en,de",  "--threads",    "1"};
    for (const char* key : {"translation.embedding=12", "translation.hidden=12",
                            "translation.batch_words=60", "train.epochs=5", "precision=fp32"}) {
      all = joined(all, {"--set", key});
    }
    return joined(all, more);
  };
  const Outcome one = run_hinny(words(scratch_ / "one", {}));
  ASSERT_EQ(one.code, 0) << one.err;
  const Outcome two = run_hinny(words(scratch_ / "two", by(2)));
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_LT(apart(scratch_ / "one", scratch_ / "two"), 1e-3);
}

}  // namespace
}  // namespace hinny

// Runs the built programs as a user would.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {

struct Outcome {
  int code = -1;  // 128 + signal when killed
  std::string out;
  std::string err;
};

struct RunOptions {
  std::string input{};                // standard input
  std::string folder{};               // it runs in; empty: the test's own
  rlim_t file_limit = RLIM_INFINITY;  // no file grows beyond: a disk that is full
  // Polled while the program runs; once true, the program gets kill_signal. What the program has
  // written says where it is; a pause would not, as machines differ in speed.
  std::function<bool()> kill_when{};
  int kill_signal = SIGKILL;
};

inline std::vector<std::string> joined(std::vector<std::string> words,
                                       const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// `PROGRAM ARGUMENTS...`, with its output caught.
inline Outcome run_program(const char* program, const std::vector<std::string>& arguments,
                           const RunOptions& options = {}) {
  const Scratch folder;
  const std::string in = folder / "in", out = folder / "out", err = folder / "err";
  write_file(in, options.input);
  for (const std::string& file : {out, err}) write_file(file, "");  // it may be killed at once
  const pid_t child = ::fork();
  if (child == 0) {
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    ::dup2(::open(in.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    if (options.file_limit != RLIM_INFINITY) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{options.file_limit, options.file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<char*> words = {const_cast<char*>(program)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(program, words.data());
    ::_exit(127);
  }
  std::jthread killer;
  if (options.kill_when) {
    killer = std::jthread([child, &options](const std::stop_token& stop) {
      while (!options.kill_when()) {
        if (stop.stop_requested()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ::kill(child, options.kill_signal);
    });
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  killer = {};
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(out);
  outcome.err = read_file(err);
  return outcome;
}

// HINNY_PROGRAM is the built hinny.
inline Outcome run_hinny(const std::vector<std::string>& arguments,
                         const RunOptions& options = {}) {
  return run_program(HINNY_PROGRAM, arguments, options);
}

// True once the log of `run` has so many lines; there are one or more for each epoch.
inline std::function<bool()> logged(const std::string& run, std::ptrdiff_t lines) {
  return [log = std::filesystem::path(run) / "metrics.jsonl", lines] {
    if (!std::filesystem::exists(log)) return false;
    const std::string text = read_file(log);
    return std::count(text.begin(), text.end(), '\n') >= lines;
  };
}

// Arguments of a training on the tiny set that takes a second or two.
inline std::vector<std::string> tiny_training(const std::string& data, const std::string& run,
                                              const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"train", "bag",        "--data", data,        "--out",
                                    run,     "--features", "toy",    "--threads", "1"};
  for (const char* key : {"text.dim=16", "text.min_count=1", "image.hidden=16", "dim=16",
                          "sample.images_per_batch=8", "train.epochs=30"}) {
    words.insert(words.end(), {"--set", key});
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace hinny

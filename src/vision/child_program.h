// A program of ours that reads strangers' bytes, at work for this process. Internal to this level.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinny {

// For one thread.
class ChildProgram {
 public:
  // What it has as its descriptor `theirs` is `ours` here. Its standard error says nothing. Ctrl-C
  // and an end of the service are for this process, which says what becomes of the work. Throws
  // Failure where it does not start.
  struct Descriptor {
    int ours, theirs;
  };
  ChildProgram(const std::filesystem::path& program, const std::vector<std::string>& words,
               std::span<const Descriptor> descriptors);
  // Ends it.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  pid_t id() const { return child_; }
  // As waitpid's status once it has ended, else nullopt. 0 where nobody knows any more: this
  // process was started with SIGCHLD ignored.
  std::optional<int> ended();

 private:
  pid_t child_ = -1;
  std::optional<int> status_;
};

// Where this process was started without standard input, say, its first descriptors have these
// numbers, which are others' in the program. Gives one behind them in place of it, -1 for -1.
int behind_standard_ones(int descriptor);

}  // namespace hinny

#include <cstdio>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/read_file.h"

int main(int, char** argv) {
  const std::filesystem::path file = std::filesystem::path(argv[0]).parent_path() / "greeting";
  {
    hinny::AtomicFile greeting(file);
    greeting.write("from Hinny's own level\n");
    greeting.commit();
  }
  std::printf("%s", hinny::read_file(file).c_str());
  return 0;
}

#include "base/loaded_builds.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(LoadedBuilds, ChangeWithWhatIsLoaded) {
  const std::string before = loaded_builds();
  EXPECT_EQ(before.size(), 16U);
  EXPECT_EQ(loaded_builds(), before);
  void* library = nullptr;
  for (const char* name : {"libresolv.so.2", "libnss_files.so.2", "libBrokenLocale.so.1"}) {
    if (::dlopen(name, RTLD_NOW | RTLD_NOLOAD) == nullptr) library = ::dlopen(name, RTLD_NOW);
    if (library != nullptr) break;
  }
  if (library == nullptr) GTEST_SKIP() << "no library to load";
  EXPECT_NE(loaded_builds(), before);
  ::dlclose(library);
}

}  // namespace
}  // namespace hinny

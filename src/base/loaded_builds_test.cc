#include "base/loaded_builds.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <string>
#include <string_view>

namespace hinny {
namespace {

std::string note(unsigned type, std::string_view name, std::string_view text) {
  ElfW(Nhdr) head{};
  head.n_namesz = static_cast<unsigned>(name.size());
  head.n_descsz = static_cast<unsigned>(text.size());
  head.n_type = type;
  std::string all(reinterpret_cast<const char*>(&head), sizeof head);
  for (const std::string_view part : {name, text}) {
    all.append(part).append((4 - part.size() % 4) % 4, '\x55');
  }
  return all;
}

TEST(BuildId, IsFoundBehindNotesOfAnySize) {
  constexpr std::string_view kGnu("GNU", 4);
  const std::string id = note(NT_GNU_BUILD_ID, kGnu, "\x01\xab\x7f");
  EXPECT_EQ(build_id(id), "01ab7f");
  for (const std::string_view name : {"", "a", "ab", "abc", "abcd", "abcde"}) {
    for (const std::string_view text : {"", "1", "12", "123", "1234", "12345"}) {
      const std::string other = note(NT_GNU_BUILD_ID, name, text);
      EXPECT_EQ(build_id(other + id), "01ab7f") << name << text;
      EXPECT_EQ(build_id(id + other), "01ab7f") << name << text;
    }
  }
  EXPECT_EQ(build_id(note(NT_GNU_BUILD_ID + 1, kGnu, "abc")), "");
  EXPECT_EQ(build_id(note(NT_GNU_BUILD_ID, kGnu, "abcd")), "61626364");
}

TEST(BuildId, IsNoneWhereNotesAreCutOff) {
  const std::string id = note(NT_GNU_BUILD_ID, std::string_view("GNU", 4), "abcdef");
  for (std::size_t size = 0; size < id.size(); ++size) {
    EXPECT_EQ(build_id(std::string_view(id).substr(0, size)), "") << size;
  }
}

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

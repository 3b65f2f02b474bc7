#include "base/loaded_builds.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/content_hash.h"

namespace hinny {
namespace {

// The name and the build ID in the notes of something loaded; of one without, its size in memory.
int add_build(dl_phdr_info* info, std::size_t, void* builds) {
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (path.find("linux-vdso") != std::string_view::npos) return 0;  // the kernel's
  std::string build = fmt::format("{} ", path.substr(path.rfind('/') + 1));
  std::size_t size = 0;
  std::string id;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD) size += part.p_memsz;
    if (part.p_type != PT_NOTE) continue;
    id += build_id({reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr), part.p_memsz});
  }
  build += id.empty() ? fmt::format("{} bytes", size) : id;
  static_cast<std::vector<std::string>*>(builds)->push_back(std::move(build));
  return 0;
}

}  // namespace

std::string build_id(std::string_view notes) {
  std::string id;
  const auto whole = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.size();) {
    ElfW(Nhdr) head{};
    std::memcpy(&head, notes.data() + at, sizeof head);
    const std::size_t name = at + sizeof head, text = name + whole(head.n_namesz);
    if (text + whole(head.n_descsz) > notes.size()) break;
    if (head.n_type == NT_GNU_BUILD_ID &&
        notes.substr(name, head.n_namesz) == std::string_view("GNU", 4)) {
      for (const char c : notes.substr(text, head.n_descsz)) {
        id += fmt::format("{:02x}", static_cast<unsigned char>(c));
      }
    }
    at = text + whole(head.n_descsz);
  }
  return id;
}

std::string loaded_builds() {
  std::vector<std::string> builds;
  ::dl_iterate_phdr(add_build, &builds);
  std::ranges::sort(builds);
  std::string all;
  for (const std::string& build : builds) all += build + "\n";
  return content_hash(std::string_view(all)).substr(0, 16);
}

}  // namespace hinny

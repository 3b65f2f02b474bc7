#include "base/content_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <new>
#include <vector>

#include "base/file_calls.h"

namespace hinny {
namespace fs = std::filesystem;

namespace {

std::string as_text(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return as_text(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string content_hash(const fs::path& path) {
  const OpenFile file(path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<char> block(std::size_t{1} << 18U);
  for (;;) {
    const std::size_t count = file.read(block.data(), block.size());
    XXH3_128bits_update(state.get(), block.data(), count);
    if (count < block.size()) return as_text(XXH3_128bits_digest(state.get()));
  }
}

}  // namespace hinny

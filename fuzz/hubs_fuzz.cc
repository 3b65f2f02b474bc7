// Whatever hubs.safetensors holds, it is read or refused with an InputError, and what is read can
// be compared with.
#include <vector>

#include "base/error.h"
#include "fuzz/input_file.h"
#include "retrieval/hubs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kDim = 2;
  try {
    const auto file = hinny::input_file(data, size);
    const hinny::HubBank bank = hinny::read_hubs(file, kDim);
    const hinny::KnownPictures known(file, kDim);
    const std::vector<float> rows(kDim, 0.5F);
    for (const auto& [name, space] : bank.spaces) {
      hinny::hub_penalties(bank, space.captions, {rows, 1, kDim});
      hinny::hub_penalties(bank, space.images, {rows, 1, kDim});
      known.fit(name, rows);
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}

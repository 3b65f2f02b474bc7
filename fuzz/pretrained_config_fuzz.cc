// Whatever the JSON files of a pretrained model's folder hold, beside weights that are sound, it is
// read or refused with an InputError. The first byte says which file of which folder the rest is.
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "fuzz/input_file.h"
#include "pretrained/family.h"
#include "pretrained/picture_size.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct Place {
  const char* folder;
  const char* file;
};
constexpr Place kPlaces[] = {{"clip", "config.json"},
                             {"clip", "preprocessor_config.json"},
                             {"siglip", "config.json"},
                             {"dinov2", "config.json"},
                             {"open_clip_xlm_r", "open_clip_config.json"},
                             {"m_clip", "config.json"},
                             {"xlm_r_sharded", "model.safetensors.index.json"},
                             {"sentence_transformers_inside", "modules.json"},
                             {"sentence_transformers_bert", "config.json"}};

// A copy of the folder, by links, in which the file is the fuzzer's.
fs::path folder_with(const Place& place, const fs::path& input) {
  static const Scratch scratch;
  const fs::path folder = scratch / (std::string(place.folder) + "." + place.file);
  if (fs::exists(folder)) return folder;
  const fs::path from = fs::path(HINNY_SOURCE) / "tests/pretrained/folders" / place.folder;
  fs::create_directories(folder);
  for (const auto& item : fs::directory_iterator(from)) {
    const bool own = item.path().filename() == place.file;
    fs::create_symlink(own ? input : fs::absolute(item.path()), folder / item.path().filename());
  }
  return folder;
}

void try_folder(const fs::path& folder) {
  try {
    const PretrainedModel model = read_pretrained(folder);
    if (!model.text && !model.picture) std::abort();
    for (const auto& tower : {&model.text, &model.picture}) {
      if (!*tower) continue;
      for (const auto& [name, tensor] : (*tower)->tensors) {
        std::vector<float> row(tensor.shape.size() == 2 ? tensor.shape[1] : 1);
        tensor.rows(tensor.shape[0] - 1, 1, row.data());
      }
    }
    if (model.picture) read_preprocess(folder, model.picture->spec.side);
  } catch (const InputError&) {
  }
}

}  // namespace
}  // namespace hinny

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::filesystem::path input = hinny::input_file(data + 1, size - 1);
  hinny::try_folder(hinny::folder_with(hinny::kPlaces[data[0] % std::size(hinny::kPlaces)], input));
  return 0;
}

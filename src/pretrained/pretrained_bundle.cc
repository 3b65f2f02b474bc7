#include "pretrained/pretrained_bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/archive_name.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/run_files.h"
#include "index/bundle/bundle_record.h"
#include "pretrained/family.h"
#include "pretrained/picture_size.h"
#include "transformer/picture_tower.h"
#include "transformer/text_tower.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpace = "image";  // of both towers

// "clip" of clip/, clip.tar.gz.
std::string name_of(const fs::path& out) {
  std::string name = name_without_archive_ending(without_slash(out.lexically_normal()));
  for (char& letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' ||
                       letter == '.';
    if (!plain) letter = '-';
  }
  return name.empty() || name.front() == '.' ? "pictures" : name;
}

std::int64_t numbers_in(const Tower& tower) {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : tower.tensors) {
    std::size_t size = 1;
    for (const std::size_t side : tensor.shape) size *= side;
    count += static_cast<std::int64_t>(size);
  }
  return count;
}

ModelConfig config_of(const PretrainedModel& model, const Tower& text,
                      const std::vector<std::string>& languages, const std::string& features) {
  ModelConfig config;
  config.system = model.system;
  config.languages = languages;
  config.dim = text.outputs;
  config.features.names = features;
  config.features.parts = {{features, text.outputs}};
  config.transformer = text.spec;
  config.image[kSpace] = {{LayerKind::l2}};
  TextSpec spec;
  spec.encoder.input = text.spec.width;
  spec.layers = layers_after(text, kTextTower);
  spec.layers.push_back({LayerKind::l2});
  spec.space = kSpace;
  for (const std::string& language : languages) config.text[language] = spec;
  config.search_parameters = numbers_in(text);
  return config;
}

void write_network(const Tower& tower, const fs::path& source, const fs::path& file,
                   WeightType weights) {
  const Preprocess how = read_preprocess(source, tower.spec.side);
  if (how.crop != static_cast<int>(tower.spec.side)) {
    throw InputError(source, fmt::format("pictures are prepared as {0} x {0}", how.crop),
                     fmt::format("{0} x {0}, which the network sees", tower.spec.side));
  }
  write_tower(source, tower, "tower", weights, Layout::rows, file,
              {{std::string(kPictureTower), as_json(tower.spec).dump()}});
  write_file(file.string() + ".json", preprocess_text(how));
}

// A model's folder with both towers, or two folders with one each.
struct Pair {
  PretrainedModel text, picture;
  fs::path picture_folder;
};

Pair read_pair(const fs::path& folder, const fs::path& pictures) {
  Pair pair{read_pretrained(folder), {}, folder};
  if (!pair.text.text) {
    throw InputError(folder, "sees pictures and reads no sentences",
                     "a model that does both; or take it as a network: hinny features --encoder, "
                     "hinny bundle RUN --network");
  }
  if (!pictures.empty()) {
    pair.picture = read_pretrained(pictures);
    pair.picture_folder = pictures;
  } else {
    pair.picture.picture = std::move(pair.text.picture);
  }
  if (!pair.picture.picture) {
    throw InputError(pair.picture_folder, "reads sentences and sees no pictures",
                     "--vision FOLDER, the model whose pictures these sentences go with");
  }
  const std::size_t reads = pair.text.text->outputs, sees = pair.picture.picture->outputs;
  if (reads == sees) return pair;
  throw InputError(folder, fmt::format("sentences become {} numbers and pictures {}", reads, sees),
                   "the two towers of one model");
}

}  // namespace

std::vector<std::string> write_pretrained_bundle(const fs::path& folder,
                                                 const PretrainedInput& input,
                                                 const fs::path& out) {
  check_licenses(input.bundle);
  const Pair pair = read_pair(folder, input.pictures);
  const std::vector<std::string>& languages =
      input.languages.empty() ? pair.text.languages : input.languages;
  const WeightType weights = input.bundle.weights.value_or(WeightType::bfloat16);
  const Tower& text = *pair.text.text;
  std::vector<std::string> chosen;
  make_bundle(out, [&](const fs::path& target) {
    const std::string name = name_of(out);
    const fs::path& tokens =
        pair.text.tokenizer_folder.empty() ? folder : pair.text.tokenizer_folder;
    const ImportedTokenizer tokenizer =
        import_tokenizer(tokens, pair.text.tokenizer, input.tokenizer, target / kTokenizerFile);
    chosen = tokenizer.chosen;
    ModelConfig config = config_of(pair.text, text, languages, name);
    if (input.pictures.empty()) config.fit = pair.text.fit;
    if (tokenizer.most > 0 && !text.spec.padded) {
      config.transformer->positions = std::min(config.transformer->positions, tokenizer.most);
    }
    Tower cut = text;
    cut.spec = *config.transformer;
    cut.tensors["positions"] = part_of(cut.tensors["positions"], 0, cut.spec.positions);
    write_tower(folder, cut, kTextTower, weights, Layout::panels, target / kWeightsFile, {});
    write_model_config(target / kConfigFile, config);
    create_folder(target / kNetworksFolder);
    const std::string network = fmt::format("{}/{}.safetensors", kNetworksFolder, name);
    write_network(*pair.picture.picture, pair.picture_folder, target / network, weights);
    BundleRecord record;
    record.license = input.bundle.license.value_or("");
    record.network_license = input.bundle.network_license.value_or("");
    record.languages = config.languages;
    record.features = config.features.names;
    record.search_parameters = config.search_parameters;
    record.encoders = {network};
    finish_bundle(target, record, target);
  });
  return chosen;
}

fs::path write_picture_network(const fs::path& pretrained, const fs::path& folder,
                               const std::string& name, WeightType weights) {
  const PretrainedModel model = read_pretrained(pretrained);
  if (!model.picture) {
    throw InputError(pretrained, "sees no pictures", "a network that does");
  }
  fs::path file = folder / (name + ".safetensors");
  write_network(*model.picture, pretrained, file, weights);
  return file;
}

}  // namespace hinny

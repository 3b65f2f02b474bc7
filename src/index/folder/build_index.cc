#include "index/folder/build_index.h"

#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "index/bundle/picture_encoders.h"
#include "index/folder/index_entries.h"
#include "index/folder/query_translators.h"
#include "index/folder/stored_sentences.h"

namespace hinny {
namespace {

std::vector<int> images_of_part(const IndexInput& input) {
  if (!input.part) return input.images;
  const auto [begin, end] = input.part->range(input.images.size());
  const auto first = input.images.begin();
  return {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)};
}

// What parts of one index share, but for what lies in their files.
std::string hash_of_all(const Dataset& dataset, const IndexInput& input) {
  std::string names = "dataset\n" + input.split + "\n";
  for (const int image : input.images) {
    names += dataset.images()[static_cast<std::size_t>(image)].id + "\n";
  }
  return content_hash(std::string_view(names));
}

}  // namespace

void build_index(const Model& whole, const Dataset& dataset, const Features& features,
                 const IndexInput& input, const std::filesystem::path& folder) {
  whole.check_searchable();
  const std::vector<int> images = images_of_part(input);
  if (input.images.empty()) throw InputError("no image to index", "one or more with features");
  const std::vector<IndexEntry> entries = fresh_entries(whole, dataset, features, images);
  AtomicFolder target(folder);
  create_folder(target.path() / "encoder");
  export_model(whole, input.weights, target.path() / "encoder");
  const Model model = Model::open(target.path() / "encoder");
  IndexContents contents = contents_by(model, input.split, features.names());
  contents.codes = codes_for(input.codes, input.images.size());
  contents.encoders = store_picture_encoders(features.part_names(), input.networks, target.path());
  write_entries(model, fresh_from(features), entries, std::move(contents),
                input.part ? Graphs::none : input.graphs, target.path());
  store_translators(model, input.translators, input.weights, target.path());
  store_sentences(model, dataset, input.images, input.sentences, target.path());
  if (input.regions != nullptr) {
    IndexInput for_reranker = input;
    for_reranker.networks.clear();
    for_reranker.translators.clear();
    for_reranker.sentences = 0;
    for_reranker.regions = nullptr;
    build_index(Model::open(whole.folder() / kRerankerFolder), dataset, *input.regions,
                for_reranker, target.path() / kRerankerFolder);
  }
  if (input.part) write_part_record(target.path(), {*input.part, hash_of_all(dataset, input)});
  commit_index(target);
}

}  // namespace hinny

#include "index/build_index.h"

#include "base/error.h"
#include "base/files.h"
#include "index/entries.h"
#include "index/picture_encoders.h"
#include "index/query_translators.h"
#include "index/sentences.h"

namespace hinny {

void build_index(const Model& whole, const Dataset& dataset, const Features& features,
                 const IndexInput& input, const std::filesystem::path& folder) {
  whole.check_searchable();
  const std::vector<Entry> entries = fresh_entries(whole, dataset, features, input.images);
  AtomicFolder target(folder);
  create_folder(target.path() / "encoder");
  export_model(whole, input.weights, target.path() / "encoder");
  const Model model = Model::open(target.path() / "encoder");
  IndexContents contents = contents_by(model, input.split, features.names());
  contents.encoders = keep_picture_encoders(features.part_names(), input.networks, target.path());
  write_entries(model, {nullptr, fresh_from(features)}, entries, std::move(contents),
                target.path());
  keep_translators(model, input.translators, input.weights, target.path());
  keep_sentences(model, dataset, input.images, input.sentences, target.path());
  if (input.regions != nullptr) {
    IndexInput again = input;
    again.networks.clear();
    again.translators.clear();
    again.sentences = 0;
    again.regions = nullptr;
    build_index(Model::open(whole.folder() / kLookFolder), dataset, *input.regions, again,
                target.path() / kLookFolder);
  }
  target.commit();
}

}  // namespace hinny

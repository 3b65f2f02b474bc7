#include "index/asking/collection_version.h"

#include "index/folder/growing.h"

namespace hinny {

Collection::Version::Version(const std::filesystem::path& folder, const CollectionOptions& options)
    : index_(Index::open(folder, options.stays && !options.engine ? Method::graph : Method::scan)),
      expected_(expected_images(folder)),
      pictures_(options.pictures
                    ? options.pictures(index_.model().config().features, index_.picture_encoders())
                    : nullptr),
      encoders_(index_.model(), TextEncoder::Unknown::guess) {
  if (const Index* reranker = index_.reranker())
    reranker_encoders_.emplace(reranker->model(), TextEncoder::Unknown::guess);
  if (options.stays) translators();
}

const QueryTranslators& Collection::Version::translators() const {
  return translators_.get([this] { return QueryTranslators(index_); });
}

const StoredSentences& Collection::Version::sentences() const {
  return sentences_.get([this] { return StoredSentences(index_); });
}

}  // namespace hinny

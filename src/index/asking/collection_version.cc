#include "index/asking/collection_version.h"

#include "base/request_error.h"

namespace hinny {

Collection::Version::Version(const std::filesystem::path& folder, const CollectionOptions& options)
    : index_(Index::open(folder, options.stays && !options.engine ? Method::graph : Method::scan)),
      open_pictures_(options.pictures),
      encoders_(index_.model(), TextEncoder::Unknown::guess) {
  if (const Index* look = index_.look())
    look_encoders_.emplace(look->model(), TextEncoder::Unknown::guess);
  if (options.stays) translators();
}

const QueryTranslators& Collection::Version::translators() const {
  return translators_.get([this] { return QueryTranslators(index_); });
}

const KeptSentences& Collection::Version::sentences() const {
  return sentences_.get([this] { return KeptSentences(index_); });
}

ReadPicture Collection::Version::read_picture() const {
  if (!open_pictures_) return {};
  return [this](const GivenPicture& picture) {
    if (index_.contents().encoders.empty()) {
      throw RequestError("the index does not know what makes a picture's features (" +
                             index_.contents().features + ")",
                         "an index made with hinny index --network FILE.onnx");
    }
    return pictures_.get([this] { return open_pictures_(index_.picture_encoders()); })(picture);
  };
}

}  // namespace hinny

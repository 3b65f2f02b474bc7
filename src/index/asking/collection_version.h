// One version of a collection. Only collection.cc uses it.
#pragma once

#include <memory>
#include <optional>

#include "base/lazy.h"
#include "encoder/encoders.h"
#include "index/asking/collection.h"
#include "index/folder/index.h"
#include "index/folder/query_translators.h"

namespace hinny {

// Safe to share between threads. What is not opened with the index is opened when first asked for,
// and only who needs it waits for that.
class Collection::Version {
 public:
  Version(const std::filesystem::path& folder, const CollectionOptions& options);

  const Index& index() const { return index_; }
  const QueryTranslators& translators() const;
  const StoredSentences& sentences() const;
  // How many pictures there are to be, in an index that is being made; else 0.
  std::size_t expected() const { return expected_; }
  // Null where none can be read.
  const PictureReader* pictures() const { return pictures_.get(); }

  const Encoders& encoders() const { return encoders_; }
  // Of the index's re-ranking model; needs one.
  const Encoders& reranker_encoders() const { return *reranker_encoders_; }

 private:
  Index index_;
  std::size_t expected_;
  std::unique_ptr<const PictureReader> pictures_;
  Lazy<QueryTranslators> translators_;
  Lazy<StoredSentences> sentences_;
  Encoders encoders_;
  std::optional<Encoders> reranker_encoders_;
};

}  // namespace hinny

// One version of a collection. Only collection.cc uses it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/lazy.h"
#include "index/collection.h"
#include "index/index.h"
#include "index/query_translators.h"

namespace hinny {

// Safe to share between threads. What is not opened with the index is opened when first asked for,
// and only who needs it waits for that.
class Collection::Version {
 public:
  Version(const std::filesystem::path& folder, const CollectionOptions& options);

  const Index& index() const { return index_; }
  const QueryTranslators& translators() const;
  const KeptSentences& sentences() const;
  // What reads pictures, or nothing where none can be read. Opens no encoder before it is called.
  ReadPicture read_picture() const;

  // An encoder for the calling thread, back in the version at the end of its life.
  class Encoder {
   public:
    explicit Encoder(const Version& owner);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    TextEncoder& operator*() const { return *encoder_; }

   private:
    const Version& owner_;
    std::unique_ptr<TextEncoder> encoder_;
  };

 private:
  Index index_;
  OpenPictures open_pictures_;
  Lazy<QueryTranslators> translators_;
  Lazy<KeptSentences> sentences_;
  Lazy<ReadPicture> pictures_;
  mutable std::mutex lock_;  // of idle_
  mutable std::vector<std::unique_ptr<TextEncoder>> idle_;
};

}  // namespace hinny

// An open index with what questions need beside it, and the one that is current.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "index/index.h"
#include "index/query_translators.h"
#include "index/sentences.h"
#include "server/metrics.h"
#include "vision/picture_features.h"

namespace hinny {

// Safe to share between threads.
class Collection {
 public:
  // Throws as Index::open.
  explicit Collection(const std::filesystem::path& folder);

  const Index& index() const { return index_; }
  std::optional<std::size_t> position(const std::string& id) const;
  // Of a picture to ask with. Throws HttpError when the index cannot read pictures.
  std::vector<float> features(const Picture& picture) const;
  // Read when first asked for. Throws InputError when they are broken.
  const KeptSentences& sentences() const;
  // Opened with the index.
  const QueryTranslators& translators() const { return translators_; }
  bool reads_pictures() const { return !index_.contents().encoders.empty(); }

  // An encoder for the calling thread, back in the collection at the end of its life.
  class Encoder {
   public:
    explicit Encoder(const Collection& owner);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    TextEncoder& operator*() const { return *encoder_; }

   private:
    const Collection& owner_;
    std::unique_ptr<TextEncoder> encoder_;
  };

 private:
  Index index_;
  QueryTranslators translators_{index_};
  std::unordered_map<std::string, std::size_t> positions_;
  mutable std::mutex lock_;
  mutable std::vector<std::unique_ptr<TextEncoder>> idle_;
  mutable std::unique_ptr<PictureFeatures> pictures_;  // opened when first asked for
  mutable std::unique_ptr<KeptSentences> sentences_;   // likewise
};

// Looks once in `pause` whether index.json is another file, and then opens the new index. One that
// cannot be opened is logged, and the old one stays. Who holds a collection keeps it.
class LiveCollection {
 public:
  // Throws as Index::open. `metrics` must outlive it.
  LiveCollection(std::filesystem::path folder, Metrics& metrics,
                 std::chrono::milliseconds pause = std::chrono::seconds(1));
  ~LiveCollection();
  LiveCollection(const LiveCollection&) = delete;
  LiveCollection& operator=(const LiveCollection&) = delete;

  std::shared_ptr<const Collection> current() const;

 private:
  using Stamp = std::vector<std::int64_t>;
  Stamp stamp() const;
  void watch(std::chrono::milliseconds pause);
  void reload();
  std::filesystem::path folder_;
  Metrics& metrics_;
  Stamp seen_;
  mutable std::mutex lock_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::shared_ptr<const Collection> current_;
  std::jthread watcher_;
};

}  // namespace hinny

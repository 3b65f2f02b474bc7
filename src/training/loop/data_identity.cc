#include "training/loop/data_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/terminal_text.h"
#include "training/experiment/experiment.h"

namespace hinny {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;  // bytes hashed at once
constexpr std::size_t kMost = std::size_t{1} << 30U;   // of features

// Of bytes that come piece by piece.
class Hash {
 public:
  void add(std::string_view bytes) {
    pending_ += bytes;
    pending_ += '\n';
    if (pending_.size() >= kChunk) pending_ = content_hash(std::string_view(pending_));
  }
  void add(std::span<const float> numbers) {
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  std::string of(std::size_t count) const {
    return fmt::format("{} {}", count, content_hash(std::string_view(pending_)));
  }

 private:
  std::string pending_;
};

std::vector<int> trained_on(const Dataset& dataset) {
  std::vector<int> images;
  for (const char* split : {"train", "val"}) {
    if (!dataset.has_split(split)) continue;
    const std::vector<int> some = dataset.split(split);
    images.insert(images.end(), some.begin(), some.end());
  }
  return images;
}

std::string hash_of_images(const Dataset& dataset, const std::vector<int>& images) {
  Hash hash;
  for (const int image : images) {
    const Image& one = dataset.images()[static_cast<std::size_t>(image)];
    hash.add(one.split + "\t" + one.id);
  }
  return hash.of(images.size());
}

std::string hash_of_captions(const Dataset& dataset, const std::vector<int>& images) {
  Hash hash;
  std::size_t count = 0;
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    hash.add(dataset.languages()[l]);
    for (const int image : images) {
      for (const int position : dataset.captions_of(image, static_cast<int>(l))) {
        const Caption& caption = dataset.captions()[static_cast<std::size_t>(position)];
        hash.add(source_name(caption.source));
        hash.add(caption.text);
        ++count;
      }
      hash.add("");  // the next image's
    }
  }
  return hash.of(count);
}

std::string hash_of_features(const Features& features, std::vector<int> images) {
  std::erase_if(images, [&](int image) { return !features.has(image); });
  Hash hash;
  const auto size = static_cast<std::size_t>(features.dim());
  const std::size_t every = 1 + images.size() * size * sizeof(float) / kMost;
  std::vector<float> row(size);
  for (std::size_t i = 0; i < images.size(); i += every) {
    features.gather(std::span(images).subspan(i, 1), row);
    hash.add(row);
  }
  return hash.of(images.size());
}

std::string hash_of_sentences(const Experiment& experiment) {
  const GivenSentences& given = *experiment.sentences;
  Hash hash;
  std::vector<float> row(static_cast<std::size_t>(given.vectors.dim()));
  for (const int& place : given.places) {
    given.vectors.gather(std::span(&place, 1), row);
    hash.add(row);
  }
  return hash.of(given.places.size());
}

std::string count_in(const std::string& hash) { return hash.substr(0, hash.find(' ')); }

}  // namespace

DataIdentity identity_of(const Dataset& dataset, const Features* features) {
  const std::vector<int> images = trained_on(dataset);
  DataIdentity identity = {{"images", hash_of_images(dataset, images)},
                           {"captions", hash_of_captions(dataset, images)}};
  if (features != nullptr && features->rows_for_any()) {
    identity["features"] = hash_of_features(*features, images);
  }
  return identity;
}

DataIdentity identity_of(const Experiment& experiment) {
  DataIdentity identity = identity_of(experiment.dataset, &experiment.features);
  if (experiment.parallel) {
    const Dataset& lines = experiment.parallel->dataset;
    identity["parallel lines"] = hash_of_captions(lines, experiment.parallel->sentences);
  }
  if (experiment.sentences) identity["sentence vectors"] = hash_of_sentences(experiment);
  return identity;
}

void check_same_data(const std::filesystem::path& run, const DataIdentity& begun,
                     const DataIdentity& now) {
  if (now.empty()) return;
  if (begun.empty()) {
    print_line(stderr,
               "note: {}: the checkpoint is an earlier version's, which does not say what data it "
               "is of; the data are not compared\n",
               run.string());
    return;
  }
  std::vector<std::string> different;
  for (const auto& [what, hash] : begun) {
    const auto found = now.find(what);
    if (found == now.end() || found->second == hash) continue;
    const std::string before = count_in(hash), after = count_in(found->second);
    different.push_back(before == after ? what
                                        : fmt::format("{} ({}, now {})", what, before, after));
  }
  if (different.empty()) return;
  throw InputError(run,
                   fmt::format("the training was begun on other {}", fmt::join(different, ", ")),
                   "the data that it was begun on, or another --out");
}

}  // namespace hinny

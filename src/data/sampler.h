// Which images and captions make a batch. Every sampler is a pure function of (seed, epoch), so
// training resumes in mid-epoch by skipping batches and nothing has to be saved.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/choice.h"
#include "data/dataset.h"

namespace hinny {

// Captions of one language in a batch.
struct LanguageBatch {
  int language = 0;           // position in Dataset::languages()
  std::vector<int> captions;  // positions in Dataset::captions()
  std::vector<int> rows;      // for each caption, the position of its image in BatchPlan::images
  bool operator==(const LanguageBatch&) const = default;
};

// Two captions of one image in different languages: positions in Dataset::captions().
struct CaptionPair {
  int first = 0;
  int second = 0;
  bool operator==(const CaptionPair&) const = default;
};

// Captions against images, or, with `pairs`, captions against captions and nothing else.
struct BatchPlan {
  std::vector<int> images;               // positions in Dataset::images(), each once
  std::vector<LanguageBatch> languages;  // those with a caption in this batch: none is empty
  std::vector<CaptionPair> pairs;        // of different images
  bool operator==(const BatchPlan&) const = default;
};

// What to do when an image has fewer captions in a language than asked for.
enum class Replacement {
  none,  // take what there is
  fill,  // all of them, then repeats drawn evenly: none n + 2 times while another is there n times
};

template <>
struct Choices<Replacement> {
  static constexpr Choice<Replacement> all[] = {{Replacement::fill, "fill"},
                                                {Replacement::none, "none"}};
};

// What an epoch passes once.
enum class EpochOf {
  images,    // every image, each time with other captions of it
  captions,  // every caption: an image comes again until each of its captions was there
};

template <>
struct Choices<EpochOf> {
  static constexpr Choice<EpochOf> all[] = {{EpochOf::images, "images"},
                                            {EpochOf::captions, "captions"}};
};

struct SamplerOptions {
  int images_per_batch = 450;
  // Captions per image and language; a language that is not named takes `captions_per_image`.
  int captions_per_image = 2;
  std::map<std::string, int> captions_by_language;
  Replacement replacement = Replacement::fill;
  EpochOf epoch_of = EpochOf::images;
  // Not empty: a batch holds as many images of each group, images_per_batch / groups, with captions
  // in the whole group (MULE's minibatches for COCO). An image is of no group whose languages are
  // some of another's that it has: en alone means English only. An epoch passes the largest group
  // once; smaller groups are reshuffled when used up.
  std::vector<std::vector<std::string>> groups;
  // sample_captions: how likely a batch holds pairs of captions (c2c).
  double caption_pairs = 0;
  bool drop_last = true;  // leave out a last batch that is smaller (unless it is the only one)
  std::uint64_t seed = 1;
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual std::int64_t batches_per_epoch() const = 0;
  // All batches of one epoch, in order.
  virtual std::vector<BatchPlan> epoch(std::int64_t number) const = 0;
};

// Both throw InputError for a size below 1, a language that the dataset lacks, and when nothing is
// left to sample. `dataset` must outlive the sampler; `images` are positions, each once.

// Shuffled images, several captions of each language per image, drawn without repetition while
// there are enough (EmbN, MULE, SMALR, bag). Images without any caption in the languages are left
// out; an image that lacks captions in one language adds nothing to it. With EpochOf::captions an
// image comes in as many rounds as its most captioned language needs; once a language's captions
// have all come, `replacement` says whether they come again.
std::unique_ptr<Sampler> sample_images(const Dataset& dataset, const std::vector<int>& images,
                                       const SamplerOptions& options);

// Shuffled captions, each batch in one language, languages drawn evenly at random (Kádár et al.
// 2018, section 3). Every caption of a language comes once before any comes twice, whatever the
// epochs: a language is shuffled again when it is used up. No batch holds a caption twice, so a
// language with few captions makes small batches. An epoch is as many batches as it takes to see
// as many captions as there are; those before it are drawn again to find where it starts, a
// shuffle for each pass. Uses images_per_batch as the
// number of captions (or pairs) per batch; groups and captions per image make no sense here
// (InputError for the former). With caption_pairs a batch is, as likely as that says, one of
// caption pairs: all pairs of captions of an image in two languages are one set for all
// languages, shuffled. InputError when it is above 0 and no image has captions in two languages.
std::unique_ptr<Sampler> sample_captions(const Dataset& dataset, const std::vector<int>& images,
                                         const SamplerOptions& options);

}  // namespace hinny

// Captions whose image no system finds, for a person to read.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "retrieval/recall.h"
#include "training/experiment/experiment.h"

namespace hinny {

struct HardCaption {
  std::string language, caption, image;
  std::string found;          // the image that the first system finds in its place,
  std::string found_caption;  // and the first caption of that in this language; may be empty
};

struct HardCaptions {
  std::vector<HardCaption> some;  // by language, at even distances
  std::size_t hard = 0, all = 0;  // captions, in all languages
};

// Of the split's captions those whose image none of the systems has among its ten best; at most
// `each` of a language. The systems were opened on the same data and languages. Throws InputError
// when their features are of other images.
HardCaptions hard_captions(std::span<const std::unique_ptr<Experiment>> experiments,
                           const std::string& split, std::size_t each);

// For the terminal, and for programs.
std::string as_text(const HardCaptions& captions);
std::string as_json(const HardCaptions& captions);

}  // namespace hinny

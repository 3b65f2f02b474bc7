// Where word vectors and the joint space start from before training.
#pragma once

#include <vector>

#include "training/experiment/prepared_data.h"

namespace hinny {

// Word vectors by text.vectors, before the system goes to its device: "random" keeps what the
// system started with; "train" learns vectors with fastText on the captions of `images` (the
// training split); "pictures" has picture_words(); a folder gives <language>.vec (shared
// vocabularies: the words of every language's file). Says on stderr how many words were found.
void start_words(RetrievalSystem& system, const PreparedData& data, const std::vector<int>& images);

// The same, and for a system that nothing is known of yet the joint space by image.start: with
// "directions", for words of "pictures", it is their picture_directions().
void start_weights(RetrievalSystem& system, const PreparedData& data,
                   const std::vector<int>& images);

}  // namespace hinny
